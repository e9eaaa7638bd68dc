import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../foundation/database.ts'
import { addTransaction } from '../testing/harbour-money.ts'
import {
  addSecondPlatform,
  approveOne,
  openTradingFloor,
  readIntents,
  type TradingFloor,
  visitUntilSettled,
} from '../testing/trading-floor.ts'
import { debitOne, openWithdrawer } from '../testing/withdrawals.ts'
import { makeIntentTag } from '../trading-platforms/intent-tag.ts'
import { checkLedger, findViolations, readFindings } from './ledger.ts'
import { markPaidOut } from './payout.ts'

let floor: TradingFloor
before(async () => {
  floor = await openTradingFloor()
})
after(() => floor.close())

const kindsOf = async () => (await findViolations(floor.system)).map(({ kind }) => kind)
const restMs = 120_000

test('a deposit and a withdrawal as they must be are no finding', async () => {
  await visitUntilSettled(floor, await approveOne(floor))
  const id = await debitOne(floor, await openWithdrawer(floor))
  assert.deepEqual(await kindsOf(), [])
  await markPaidOut(floor.staff, id, 'SWIFT 4711')
  floor.ground.clock.advance(restMs)
  assert.deepEqual(await kindsOf(), [])
})

test('an operation that went, came twice, is of another amount or of nobody: each is found, kept once, and let go when mended', async () => {
  const withdrawer = await openWithdrawer(floor)
  const id = await debitOne(floor, withdrawer)
  floor.ground.clock.advance(restMs)
  const [intent] = await readIntents(floor, id)
  assert.ok(intent)
  const { control } = floor.simulator
  const [deal] = control.dealsWithComment(intent.tag)
  assert.ok(deal)
  control.recomment(deal.deal, 'edited')
  assert.deepEqual(await kindsOf(), ['missing-on-platform'])
  control.recomment(deal.deal, `${intent.tag} Withdrawal`)
  const atMs = floor.ground.clock.now().getTime()
  control.addLedger(withdrawer.login, { amount: '-250.00', atMs, comment: `${intent.tag} Withdrawal` })
  control.addLedger(withdrawer.login, { amount: '-1.00', atMs, comment: `${makeIntentTag()} Withdrawal` })
  const found = await checkLedger(floor.system)
  assert.deepEqual(found.map(({ kind }) => kind).sort(), ['twice-on-platform', 'unknown-on-platform'])
  await checkLedger(floor.system)
  const told = await readFindings(floor.staff)
  assert.equal(told.findings.length, 2)
  for (const extra of control.dealsWithComment('A')) {
    if (extra.login === withdrawer.login && extra.deal !== deal.deal) control.removeDeal(extra.deal)
  }
  floor.ground.clock.advance(1_000)
  assert.deepEqual(await checkLedger(floor.system), [])
  assert.deepEqual((await readFindings(floor.staff)).findings, [])
})

test('while a platform cannot be asked, what was found on it stays, and the books count as not checked', async () => {
  const other = await addSecondPlatform(floor)
  try {
    const [here, there] = [await openWithdrawer(floor), await openWithdrawer(other)]
    await debitOne(floor, here)
    const [intent] = await readIntents(floor, await debitOne(other, there))
    const atMs = floor.ground.clock.now().getTime()
    const stray = () => ({ amount: '-1.00', atMs, comment: `${makeIntentTag()} Withdrawal` })
    const strayHere = stray()
    floor.simulator.control.addLedger(here.login, strayHere)
    const standing = [stray(), { amount: '-250.00', atMs, comment: `${intent?.tag} Withdrawal` }]
    for (const deal of standing) other.simulator.control.addLedger(there.login, deal)
    await checkLedger(floor.system)
    const read = async () => {
      const { checked_at, findings } = await readFindings(floor.staff)
      return { checked_at, kinds: findings.map(({ kind }) => kind).sort() }
    }
    const checked_at = floor.ground.clock.now().getTime()
    const kinds = ['twice-on-platform', 'unknown-on-platform']
    assert.deepEqual(await read(), { checked_at, kinds: [...kinds, 'unknown-on-platform'] })

    takeBack(floor, strayHere)
    floor.ground.clock.advance(10 * 60_000)
    await switchPlatform(other, false)
    await checkLedger(floor.system)
    assert.deepEqual(await read(), { checked_at, kinds })

    for (const deal of standing) takeBack(other, deal)
    await switchPlatform(other, true)
    await checkLedger(floor.system)
    assert.deepEqual(await read(), { checked_at: floor.ground.clock.now().getTime(), kinds: [] })
  } finally {
    await other.close()
  }
})

/** The newest with this comment. */
const takeBack = ({ simulator: { control } }: TradingFloor, { comment }: { comment: string }): void =>
  control.removeDeal(control.dealsWithComment(comment).at(-1)?.deal ?? '')

const switchPlatform = ({ system, platformId }: TradingFloor, enabled: boolean) =>
  inTransaction(system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .set({ enabled })
      .where('workspace_id', '=', system.workspaceId)
      .where('platform_id', '=', platformId)
      .execute(),
  )

test('a row that says it moved more than its intents did', async () => {
  const withdrawer = await openWithdrawer(floor)
  const id = await debitOne(floor, withdrawer)
  const { ownerUrl } = floor
  const { default: pg } = await import('pg')
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('set session_replication_role = replica')
  await owner.query(`update balance_transactions set amount = 251, platform_ticket = '1' where transaction_id = $1`, [
    id,
  ])
  assert.deepEqual(await kindsOf(), ['other-sum', 'no-ticket'])
  const [intent] = await readIntents(floor, id)
  await owner.query(`update balance_transactions set amount = 250, platform_ticket = $2 where transaction_id = $1`, [
    id,
    intent?.ticket,
  ])
  await owner.end()
  assert.deepEqual(await kindsOf(), [])
})

test('history that was never ours to move is no finding', async () => {
  const { memberId } = floor.member
  await addTransaction(floor.system, { memberId, accountId: floor.accountId, state: 'approved' })
  assert.deepEqual(await kindsOf(), [])
})
