// spec: DK accounts
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { addHistory, dealOf } from '../../tests/fixtures/trading/trade-history.ts'
import { fixtureLogin } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { keepDeals } from './deals.ts'
import { exportTradesAtDesk, listPositionsAtDesk, listTradesAtDesk, readHistoryAtDesk } from './desk-queries.ts'

let setup: ServedFixture
let caller: Caller
let token: string

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
  const { staffId } = await addStaff(setup.system, { role: 'viewer' })
  token = (await openTestSession(setup.system, { kind: 'staff', id: staffId })).token
  const place = { memberId: setup.member.memberId, accountId: setup.accountId, platformId: setup.platformId }
  await addHistory(setup.system, place, [
    dealOf({ id: '501', cmd: 'OP_BUY', entry: 0, profit: '0', swap: '0', openPrice: null }),
    dealOf({ id: '502', profit: '90.00', state: 3, at: dealOf({ id: '0' }).at + 60 }),
    dealOf({ id: '503', symbol: 'GBPUSD', profit: '-1234.56', hundredths: '105', comment: '=1+1' }),
    dealOf({ id: '504', cmd: 'OP_BALANCE', symbol: '', entry: 0, profit: '500.00', isTrade: false }),
  ])
  const openedAtMs = setup.context.clock.now().getTime() - 3_600_000
  setup.simulator.control.addPosition(fixtureLogin, { symbol: 'EURUSD', side: 'sell', lots: '1.05', openedAtMs })
})
after(() => setup.close())

const ask = (what: string, as = token, id = setup.accountId): Promise<Answered> =>
  caller.get(`/desk/api/accounts/${id}/${what}`, as)

describe('a member’s trades at the desk', () => {
  test('are listed, filtered, sorted and summed as for the member', async () => {
    const { body } = await ask('trades?sort=profit&order=asc')
    const trades = body.trades as Record<string, unknown>[]
    assert.deepEqual(
      trades.map((trade) => [trade.deal, trade.profit, trade.entry, trade.volume]),
      [
        ['503', '-1234.56', 1, 105],
        ['501', '0.00', 0, 30],
        ['502', '90.00', 1, 30],
      ],
    )
    assert.deepEqual([trades[1]?.open_price, trades[1]?.close_price], ['1.08420', null])
    assert.deepEqual([body.total, (body.totals as { profit: string }).profit], [3, '-1144.56'])
    const narrowed = (await ask('trades?symbol=GBPUSD&side=sell&entry=out')).body
    assert.deepEqual([narrowed.total, (narrowed.totals as { volume: number }).volume], [1, 105])
    assert.deepEqual((await ask('trades?page=2&limit=2')).body.trades, [trades[1]])
  })

  test('add up to their totals and their count while deals are stored', async () => {
    const { platformId, member } = setup
    const accountId = await addAccount(setup.system, {
      memberId: member.memberId,
      platformId,
      platform_login: '700555',
    })
    const of = { account_id: accountId, member_id: member.memberId }
    const store = async () => {
      for (let id = 1; id <= 60; id++)
        await inTransaction(setup.system, (tx) =>
          keepDeals(tx, setup.system, of, [dealOf({ id: String(id), profit: '1.00' })]),
        )
    }
    let isStored = false
    const storing = store().finally(() => {
      isStored = true
    })
    while (!isStored) {
      const { body } = await ask('trades?limit=100', token, accountId)
      const { count, profit } = body.totals as { count: number; profit: string }
      const listed = (body.trades as unknown[]).length
      assert.deepEqual([listed, body.total, profit], [count, count, `${count}.00`])
    }
    await storing
    assert.deepEqual((await ask('trades?page=9&limit=100', token, accountId)).body.total, 60)
  })

  test('come with open positions and the progress of the history', async () => {
    const { body } = await ask('positions')
    const [position] = body.positions as Record<string, unknown>[]
    assert.deepEqual([position?.symbol, position?.cmd, position?.volume], ['EURUSD', 'OP_SELL', 105])
    assert.equal(body.is_live, true)
    const history = (await ask('trades/history')).body.history as Record<string, unknown>
    assert.deepEqual([history.is_complete, history.symbols], [true, ['EURUSD', 'GBPUSD']])
  })

  test('are exported as CSV without formulas, and the export is audited', async () => {
    const { raw, headers } = await ask('trades/table?symbol=GBPUSD')
    assert.match(String(headers['content-disposition']), new RegExp(`trades-${fixtureLogin}.csv`))
    assert.match(raw, /,503,.*-1234\.56.*'=1\+1\r\n$/)
    const entry = await reading(setup.system, (tx) =>
      tx
        .selectFrom('audit_log')
        .where(here)
        .select(['actor_kind', 'member_id', 'subject_id', 'after'])
        .where('action', '=', 'trades.exported')
        .executeTakeFirstOrThrow(),
    )
    assert.deepEqual(entry, {
      ...{ actor_kind: 'staff', member_id: setup.member.memberId, subject_id: setup.accountId },
      after: { login: fixtureLogin, symbol: 'GBPUSD' },
    })
  })

  test('are refused for another workspace, an unknown id and members', async () => {
    const other = await addWorkspace(setup.context)
    const otherStaff = staffActor(other, await addStaff(other))
    const id = setup.accountId
    const listing = { id, sort: 'time', order: 'desc', page: 1, limit: 25 } as const
    for (const attempt of [
      () => listTradesAtDesk(otherStaff, listing),
      () => readHistoryAtDesk(otherStaff, id),
      () => listPositionsAtDesk(otherStaff, id),
      () => exportTradesAtDesk(otherStaff, { id }),
    ])
      await assert.rejects(attempt(), { code: 'not_found' })
    const member = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
    for (const what of ['trades', 'trades/history', 'trades/table', 'positions']) {
      assert.equal((await ask(what, token, newId())).status, 404, what)
      assert.equal((await ask(what, member.token)).status, 401, what)
    }
    const nobody = { ...staffActor(setup.system, await addStaff(setup.system)), role: 'nothing' }
    await assert.rejects(listTradesAtDesk(nobody, listing), { code: 'not_permitted' })
  })
})
