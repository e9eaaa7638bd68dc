// spec: OP backups

/** A machine is lost; its last backup is minutes old, and the platform has moved on. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { backUp, makeArchive, restoreElsewhere } from '../../tests/fixtures/backups.ts'
import {
  fixtureLogin,
  makePendingDeposit,
  openTradingFixture,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { approveDeposit } from '../deposits/decision.ts'
import { systemActor } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { findViolations } from '../funding/ledger.ts'
import { verifyRestored } from './verify.ts'

let setup: TradingFixture
const place = makeArchive()
before(async () => {
  setup = await openTradingFixture()
})
after(async () => {
  await setup.close()
  place.remove()
})

async function settleAll({ system, context }: TradingFixture): Promise<void> {
  for (let round = 0; round < 30; round++) {
    const open = await reading(system, (tx) =>
      tx
        .selectFrom('platform_intents')
        .select('intent_id')
        .where('workspace_id', '=', system.workspaceId)
        .where('state', 'in', ['ready', 'sending', 'unknown'])
        .execute(),
    )
    for (const { intent_id } of open) await settleIntent(system, intent_id)
    if (open.length === 0) return
    context.clock.advance(20_000)
  }
}

const creditsOn = () => {
  const [, ...deals] = setup.simulator.control.ledger(fixtureLogin)
  return deals.map(({ amount }) => amount).sort()
}

const switchPlatform = ({ system, platformId }: TradingFixture, enabled: boolean) =>
  inTransaction(system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .set({ enabled })
      .where('workspace_id', '=', system.workspaceId)
      .where('platform_id', '=', platformId)
      .execute(),
  )

test('a backup from before the credits, restored on another machine, credits nothing again', async () => {
  const onTheirWay = [await makePendingDeposit(setup, '120.50'), await makePendingDeposit(setup, '33.10')]
  const waiting = await makePendingDeposit(setup, '250.00')
  const untouched = await makePendingDeposit(setup, '61.00')
  for (const id of onTheirWay) await approveDeposit(setup.staff, id)
  const backup = await backUp(place.archive, setup)

  await approveDeposit(setup.staff, waiting)
  await settleAll(setup)
  const credited = ['120.50', '250.00', '33.10']
  assert.deepEqual(creditsOn(), credited)

  setup.context.clock.advance(10 * 60_000)
  const there = await restoreElsewhere(place.archive, setup, backup.backup)
  try {
    const system = systemActor(there.context, setup.system.workspaceId)
    const restored: TradingFixture = { ...setup, ...there, system, staff: { ...setup.staff, context: there.context } }
    for (const id of onTheirWay) assert.equal((await readTransaction(restored, id)).state, 'crediting')
    const verify = () =>
      verifyRestored(place.archive, there.contents, { databaseUrl: there.ownerUrl, context: there.context })
    const { wrong } = await verify()
    assert.equal(wrong.length, 1, wrong.join('\n'))
    assert.match(wrong[0] ?? '', /unknown-on-platform/, 'operations that this database has lost are reported')
    await switchPlatform(restored, false)
    assert.match((await verify()).wrong.join(), /was not compared with platform \S+, which did not answer: accounts 1$/)
    await switchPlatform(restored, true)

    await approveDeposit(restored.staff, waiting)
    await settleAll(restored)
    assert.deepEqual(creditsOn(), credited, 'nothing is credited again')
    for (const id of onTheirWay) {
      const { state, platform_ticket } = await readTransaction(restored, id)
      assert.equal(state, 'approved', 'found by its tag')
      assert.ok(platform_ticket)
    }
    assert.equal((await readTransaction(restored, waiting)).state, 'checking', 'staff must compare the deal and decide')

    await approveDeposit(restored.staff, untouched)
    await settleAll(restored)
    assert.deepEqual(creditsOn(), [...credited, '61.00'].sort(), 'a new deposit is credited once')
    const kinds = (await findViolations(system)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['unknown-on-platform'])
  } finally {
    await there.close()
  }
})
