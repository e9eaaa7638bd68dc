// spec: AO 3, AO 4, AO 7
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addHistory, dealOf } from '../../tests/fixtures/trading/trade-history.ts'
import { addMember, addWorkspace, openTestSession, setFeatures } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'

type Row = Record<string, unknown>
type Answer = {
  data: Record<string, Row & Row[]>
  errors?: { extensions: { code: string } }[]
  extra: Record<string, number>
}

const at = (day: number, hour = 12) => Date.UTC(2026, 10, day, hour) / 1000

describe('trades of a member', () => {
  let made: MadeContext
  let app: FastifyInstance
  let system: System
  let token: string
  let mt5: string
  let mt4: string

  before(async () => {
    made = await makeTestContext()
    app = await buildApp(made.context)
    system = await addWorkspace(made.context, { isDefault: true })
    const { memberId } = await addMember(system)
    token = await signIn(memberId)
    const platformId = await addPlatform(system)
    const mt4PlatformId = await addPlatform(system, { type: 'mt4', name: 'MetaTrader 4' })
    mt5 = await addAccount(system, { memberId, platformId })
    mt4 = await addAccount(system, { memberId, platformId: mt4PlatformId })
    await addHistory(system, { memberId, accountId: mt5, platformId }, [
      dealOf({
        id: '18446744073709551615',
        cmd: 'OP_BUY',
        entry: 0,
        at: at(20),
        profit: '0.00',
        swap: '0',
        openPrice: null,
      }),
      dealOf({ id: '502', at: at(20, 18), profit: '90.00', state: 3 }),
      dealOf({ id: '503', at: at(10), symbol: 'GBPUSD', cmd: 'OP_BUY', profit: '-1234.56', hundredths: '105' }),
      dealOf({ id: '504', at: at(11), cmd: 'OP_BALANCE', symbol: '', entry: 0, profit: '500.00', isTrade: false }),
      dealOf({ id: '505', at: at(12), cmd: 'OP_CREDIT', symbol: '', entry: 0, profit: '70.00', isTrade: false }),
    ])
    await addHistory(system, { memberId, accountId: mt4, platformId: mt4PlatformId }, [
      dealOf({ id: '601', order: '601', cmd: 'OP_BUY', at: at(19), state: 3, sl: '1.07000' }),
    ])
  })
  after(async () => {
    await app.close()
    await made.close()
  })

  async function signIn(memberId: string): Promise<string> {
    return (await openTestSession(system, { kind: 'member', id: memberId })).token
  }

  async function ask(query: string, bearer = token): Promise<Answer> {
    const { status, body, raw } = await callerOf(app).post('/graph', { query }, bearer)
    assert.equal(status, 200, raw)
    return body as unknown as Answer
  }
  const trades = async (given: string, fields = '_id', bearer = token) =>
    (await ask(`{ trade_records(${given}) { ${fields} } }`, bearer)).data.trade_records as Row[]
  const idsOf = async (given: string) => (await trades(given)).map(({ _id }) => _id)

  const whole = `_id order cmd reason profit state state_label symbol tp sl price_tp price_sl volume timestamp
    open_price close_price comment ticket deal status entry`

  it('maps a MetaTrader 5 trade', async () => {
    const [, , row] = await trades(`trading_account: "${mt5}"`, whole).then((rows) => [null, null, rows[0]])
    assert.deepEqual(
      { ...row },
      {
        _id: '502',
        order: '9001',
        cmd: 'OP_SELL',
        reason: '0',
        profit: '90.00',
        state: 3,
        state_label: 'Partial',
        symbol: 'EURUSD',
        tp: '1.09000',
        sl: null,
        price_tp: '1.09000',
        price_sl: null,
        volume: 30,
        timestamp: at(20, 18),
        open_price: '1.08120',
        close_price: '1.08420',
        comment: '',
        ticket: '8001',
        deal: '502',
        status: 'Partial',
        entry: 1,
      },
    )
    const [, into] = await trades(`trading_account: "${mt5}"`, 'deal entry state_label open_price close_price')
    assert.deepEqual(
      { ...into },
      { deal: '18446744073709551615', entry: 0, state_label: 'Filled', open_price: '1.08420', close_price: null },
    )
  })

  it('maps a MetaTrader 4 trade', async () => {
    const [row] = await trades(
      `trading_account: "${mt4}"`,
      'cmd state state_label status tp sl price_tp price_sl entry',
    )
    const closed = { state: 3, state_label: 'Closed', status: 'Closed' }
    assert.deepEqual(
      { ...row },
      { cmd: 'OP_BUY', ...closed, tp: '1.09000', sl: '1.07000', price_tp: null, price_sl: null, entry: null },
    )
  })

  it('excludes balance and credit entries, newest first', async () => {
    assert.deepEqual(await idsOf(`trading_account: "${mt5}"`), ['502', '18446744073709551615', '503'])
    const answer = await ask(`{ trading_account(_id: "${mt5}") { trade_records { _id } } }`)
    const inner = answer.data.trading_account?.trade_records as Row[]
    assert.deepEqual(
      inner.map(({ _id }) => _id),
      ['502', '18446744073709551615', '503'],
    )
  })

  it('pages, counts, filters and sorts', async () => {
    const of = `trading_account: "${mt5}"`
    const { data, extra } = await ask(`{ trade_records(${of}, limit: 2, page: 2, withCount: true) { _id } }`)
    assert.deepEqual([data.trade_records?.map(({ _id }) => _id), extra.countTraderecords], [['503'], 3])
    assert.deepEqual(await idsOf(`${of}, symbol: "GBPUSD"`), ['503'])
    assert.deepEqual(await idsOf(`${of}, side: "sell"`), ['502'])
    assert.deepEqual(await idsOf(`${of}, side: "sideways"`), [])
    assert.deepEqual(await idsOf(`${of}, entry: "in"`), ['18446744073709551615'])
    assert.deepEqual(await idsOf(`${of}, entry: "out"`), ['502', '503'])
    assert.deepEqual(await idsOf(`${of}, from: ${at(20)}, to: ${at(20)}`), ['18446744073709551615'])
    assert.deepEqual(await idsOf(`${of}, sort: "profit", order: "asc"`), ['503', '18446744073709551615', '502'])
    assert.deepEqual(await idsOf(`${of}, sort: "volume"`), ['503', '502', '18446744073709551615'])
    assert.deepEqual(await idsOf(`${of}, sort: "time", order: "asc"`), ['503', '18446744073709551615', '502'])
    assert.deepEqual(await idsOf(`${of}, sort: "member_id; drop"`), ['502', '18446744073709551615', '503'])
  })

  it('sums all matching trades exactly', async () => {
    const of = `trading_account: "${mt5}"`
    const fields = 'count volume profit swap commission net'
    const { data } = await ask(
      `{ all: trade_totals(${of}) { ${fields} } one: trade_totals(${of}, symbol: "EURUSD") { ${fields} } }`,
    )
    const [all, one] = [data.all, data.one]
    assert.deepEqual(
      { ...all },
      { count: 3, volume: 165, profit: '-1144.56', swap: '-0.84', commission: '-1.05', net: '-1146.45' },
    )
    assert.deepEqual(
      { ...one },
      { count: 2, volume: 60, profit: '90.00', swap: '-0.42', commission: '-0.70', net: '88.88' },
    )
  })

  it('reports the progress of the history and the traded symbols', async () => {
    const { data } = await ask(
      `{ trade_history(trading_account: "${mt5}") { is_complete is_being_read failing_since read_at symbols } }`,
    )
    assert.deepEqual(
      { ...data.trade_history },
      {
        is_complete: true,
        is_being_read: false,
        failing_since: null,
        read_at: made.context.clock.now().getTime(),
        symbols: ['EURUSD', 'GBPUSD'],
      },
    )
  })

  it("answers for another member's or an archived account as for an unknown one", async () => {
    const other = await addMember(system)
    const bearer = await signIn(other.memberId)
    const asked = [
      (id: string) => `{ trade_records(trading_account: "${id}", withCount: true) { _id } }`,
      (id: string) => `{ trade_totals(trading_account: "${id}") { count } }`,
      (id: string) => `{ trade_history(trading_account: "${id}") { symbols } }`,
      (id: string) => `{ open_positions(trading_account: "${id}") { positions { _id } } }`,
    ]
    for (const about of asked) {
      const unknown = await ask(about('019a0000-0000-7000-8000-000000000000'), bearer)
      assert.deepEqual(await ask(about(mt5), bearer), unknown)
      assert.deepEqual(await ask(about('no id'), bearer), unknown)
    }
    assert.deepEqual((await ask(asked[0]?.(mt5) ?? '', bearer)).extra, { countTraderecords: 0 })
  })

  it('is refused only by the trades feature', async () => {
    await setFeatures(system, { trades: false })
    for (const field of ['trade_records', 'trade_totals', 'trade_history', 'open_positions']) {
      const { errors } = await ask(`{ ${field}(trading_account: "${mt5}") { __typename } }`)
      assert.equal(errors?.[0]?.extensions.code, 'feature_off', field)
    }
    const inner = await ask(`{ trading_account(_id: "${mt5}") { trade_records { _id } } }`)
    assert.equal(inner.errors?.[0]?.extensions.code, 'feature_off')
    const { errors } = await ask(`{ trading_account(_id: "${mt5}") { _id } }`)
    assert.equal(errors, undefined)
    await setFeatures(system, { trades: true })
  })

  describe('CSV of trades', () => {
    const table = (id: string, query = '', bearer = token) =>
      callerOf(app).get(`/members/trading-accounts/${id}/trades/table${query}`, bearer)

    it('contains the matching trades, with formulas neutralized and losses as numbers', async () => {
      const { status, raw, headers } = await table(mt5)
      assert.equal(status, 200, raw)
      assert.match(String(headers['content-type']), /text\/csv/)
      assert.match(String(headers['content-disposition']), /attachment; filename="trades-\d+\.csv"/)
      const lines = raw.replace('\uFEFF', '').trim().split('\r\n')
      assert.equal(lines.length, 4)
      assert.match(lines[0] ?? '', /^Time \(UTC\),Deal,Order,Symbol,Side,Entry,Lots,/)
      assert.match(lines[1] ?? '', /^2026-11-20 18:00:00,502,9001,EURUSD,SELL,Out,0\.30,1\.08120,1\.08420,/)
      assert.match(lines[3] ?? '', /,-1234\.56,/)
      const narrowed = await table(mt5, '?symbol=GBPUSD&side=buy')
      assert.equal(narrowed.raw.trim().split('\r\n').length, 2)
    })

    it('contains every digit of a volume below a hundredth of a lot', async () => {
      const { memberId } = await addMember(system)
      const account = { memberId, platformId: await addPlatform(system) }
      const accountId = await addAccount(system, account)
      const volumes = ['0.1', '0.0001', '150', '0'].map((hundredths, index) => ({
        id: String(900 - index),
        hundredths,
      }))
      await addHistory(system, { ...account, accountId }, volumes.map(dealOf))
      const { raw } = await table(accountId, '', await signIn(memberId))
      const lots = raw
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[6])
      assert.deepEqual(lots, ['0.001', '0.000001', '1.50', '0.00'])
    })

    it('contains prices below zero as numbers, as that of oil once was', async () => {
      const { memberId } = await addMember(system)
      const account = { memberId, platformId: await addPlatform(system) }
      const accountId = await addAccount(system, account)
      const prices = { openPrice: '-37.63', price: '-13.10', sl: '-40.00', tp: null }
      await addHistory(system, { ...account, accountId }, [dealOf({ id: '900', ...prices })])
      const { raw } = await table(accountId, '', await signIn(memberId))
      assert.match(raw, /,0\.30,-37\.63,-13\.10,-40\.00,,/)
    })

    it('is refused to others, and without the feature', async () => {
      const other = await addMember(system)
      const foreign = await table(mt5, '', await signIn(other.memberId))
      assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found'])
      await setFeatures(system, { trades: false })
      const off = await table(mt5)
      assert.deepEqual([off.status, off.body.code], [404, 'feature_off'])
      await setFeatures(system, { trades: true })
    })

    it('is written a limited number of times, for each member', async () => {
      const platformId = await addPlatform(system)
      const people = await Promise.all([addMember(system), addMember(system)])
      const [one, other] = await Promise.all(
        people.map(async ({ memberId }) => {
          const accountId = await addAccount(system, { memberId, platformId })
          const bearer = await signIn(memberId)
          return async () => (await table(accountId, '', bearer)).status
        }),
      )
      assert.ok(one && other)
      const answers = await Promise.all(Array.from({ length: 40 }, one))
      assert.equal(answers.filter((status) => status === 200).length, 30)
      assert.equal(answers.filter((status) => status === 429).length, 10)
      assert.equal(await other(), 200)
    })

    it('is written page by page, every row once', async () => {
      const { memberId } = await addMember(system)
      const platformId = await addPlatform(system)
      const accountId = await addAccount(system, { memberId, platformId })
      // Many at one moment, so that a page ends within it.
      const deals = Array.from({ length: 2_500 }, (_, index) =>
        dealOf({ id: String(10_000 + index), at: at(1) + Math.floor(index / 400), comment: index === 0 ? '=1+1' : '' }),
      )
      await addHistory(system, { memberId, accountId, platformId }, deals)
      const { raw } = await table(accountId, '', await signIn(memberId))
      const lines = raw.trim().split('\r\n').slice(1)
      assert.equal(new Set(lines.map((line) => line.split(',')[1])).size, 2_500)
      assert.equal(lines.length, 2_500)
      assert.match(raw, /,'=1\+1\r\n/)
    })
  })
})
