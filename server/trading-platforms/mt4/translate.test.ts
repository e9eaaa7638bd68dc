// spec: AO 3
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from './failures.ts'
import { type AccountRecord, accountRecord, type TradeRecord, tradeRecord } from './records.ts'
import { toAccount, toDeal, toListedAccount, toPosition } from './translate.ts'

const trade = {
  order: '4100021',
  login: '400101',
  symbol: 'EURUSD',
  digits: 5,
  cmd: 0,
  volume: 105,
  state: 3,
  reason: 5,
  open_time: '2026-01-15T10:00:00Z',
  open_price: '1.08100',
  sl: '1.07500',
  tp: '0.00000',
  close_time: '2026-07-15T10:00:00Z',
  close_price: '1.08350',
  commission: '-0.70',
  storage: '-0.50',
  profit: '262.50',
  taxes: '0.00',
  magic: 0,
  comment: '',
}
const readTrade = (change: object): TradeRecord => tradeRecord.parse({ ...trade, ...change })

test('turns one order of the platform into the deal that closed a trade', () => {
  assert.deepEqual(toDeal(readTrade({})), {
    id: '4100021',
    order: '4100021',
    position: '4100021',
    login: '400101',
    cmd: 'OP_BUY',
    entry: 1,
    symbol: 'EURUSD',
    lots: '1.05',
    hundredths: '105',
    price: '1.08350',
    openPrice: '1.08100',
    sl: '1.07500',
    tp: null,
    profit: '262.50',
    swap: '-0.50',
    commission: '-0.70',
    fee: '0.00',
    at: Date.parse('2026-07-15T10:00:00Z') / 1000,
    openedAt: Date.parse('2026-01-15T10:00:00Z') / 1000,
    state: 3,
    platformState: 3,
    reason: 5,
    comment: '',
    isTrade: true,
  })
})

test('only buy and sell orders are trades', () => {
  const words = [0, 1, 2, 3, 4, 5, 6, 7].map((cmd) => toDeal(readTrade({ cmd })))
  assert.deepEqual(
    words.map(({ cmd, isTrade }) => (isTrade ? `${cmd} trade` : cmd)),
    [
      'OP_BUY trade',
      'OP_SELL trade',
      'OP_BUY_LIMIT',
      'OP_SELL_LIMIT',
      'OP_BUY_STOP',
      'OP_SELL_STOP',
      'OP_BALANCE',
      'OP_CREDIT',
    ],
  )
  assert.throws(() => readTrade({ cmd: 8 }))
})

test("maps three open and four closed states, and preserves the platform's own", () => {
  const stateAndReason = (change: object) => {
    const { state, platformState } = toDeal(readTrade(change))
    return [state, platformState]
  }
  for (const state of [0, 1, 2]) assert.deepEqual(stateAndReason({ state, close_time: null }), [0, state])
  for (const state of [3, 4, 5, 6]) assert.deepEqual(stateAndReason({ state }), [state, state])
  // The close time decides: a restored order that is closed now is closed.
  for (const state of [0, 1, 2]) assert.deepEqual(stateAndReason({ state }), [3, state])
})

test("lists an account with its owner's details, or without", () => {
  const { login, email, name, tradingAllowed, registeredAt } = toListedAccount(readAccount({}))
  assert.deepEqual([login, email, name, tradingAllowed], ['400101', 'ada@example.test', 'Ada North', false])
  assert.equal(registeredAt, Date.parse('2026-01-05T08:00:00Z') / 1000)
  const bare = toListedAccount(readAccount({ name: '', email: '' }))
  assert.deepEqual([bare.email, bare.name], [null, null])
})

test('an open trade is a position at the current price', () => {
  const position = toPosition(readTrade({ cmd: 1, state: 0, close_time: null, volume: 10 }))
  assert.deepEqual(
    [position.side, position.lots, position.hundredths, position.currentPrice, position.openedAt],
    ['sell', '0.1', '10', '1.08350', Date.parse('2026-01-15T10:00:00Z') / 1000],
  )
})

test('refuses malformed records', () => {
  const wrong = [
    { order: 4_100_021 },
    { order: '0' },
    { volume: '105' },
    { volume: 1.5 },
    { profit: '1e3' },
    { profit: 262.5 },
    { open_time: '2026-01-15 10:00:00' },
    { open_time: '2026-13-45T10:00:00Z' },
    { close_time: undefined },
    { state: undefined },
    { state: -1 },
  ]
  for (const change of wrong) assert.throws(() => readTrade(change), JSON.stringify(change))
})

const account = {
  login: '400101',
  group: 'real-jpy',
  currency: 'JPY',
  currency_digits: 0,
  leverage: 200,
  enable: true,
  enable_change_password: false,
  enable_read_only: true,
  name: 'Ada North',
  email: 'ada@example.test',
  comment: '',
  registered_at: '2026-01-05T08:00:00Z',
  balance: '1250',
  credit: '50',
  equity: '1312.4',
  floating: '12.4',
  margin: '54',
  margin_free: '1258',
  margin_level: '2430.37',
}
const readAccount = (change: object): AccountRecord => accountRecord.parse({ ...account, ...change })

test("an account's metrics have the digits of its currency, and its flags are mapped", () => {
  const { equity, floating, marginLevel, enabled, tradingAllowed, passwordChangeAllowed, source } = toAccount(
    readAccount({}),
  )
  assert.deepEqual([equity, floating, marginLevel], ['1312', '12', '2430.37'])
  assert.deepEqual([enabled, tradingAllowed, passwordChangeAllowed, source], [true, false, false, 'live'])
})

test('without a margin state, equity is balance plus credit', () => {
  const none = { equity: null, floating: null, margin: null, margin_free: null, margin_level: null }
  const { equity, floating, margin, marginFree, marginLevel, source } = toAccount(readAccount(none))
  assert.deepEqual([equity, floating, margin, marginFree, marginLevel], ['1300', '0', '0', '1300', null])
  assert.equal(source, 'record')
})

test('reads a text with half a character or a NUL as one that can be stored', () => {
  assert.deepEqual(parseJson('{"items":[{"comment":"cut \\ud83d","name":"A\\u0000da","order":"41"}]}'), {
    items: [{ comment: 'cut \ufffd', name: 'Ada', order: '41' }],
  })
})

test('an account without leverage has that of 1:1', () => {
  const without = readAccount({ leverage: 0 })
  assert.deepEqual([toListedAccount(without).leverage, toAccount(without).leverage], [1, 1])
})
