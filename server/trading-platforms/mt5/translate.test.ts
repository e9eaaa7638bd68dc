// spec: AO 3
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { GatewayError } from '../contract.ts'
import { platformClock } from './clock.ts'
import {
  compareDeals,
  dealCommand,
  openingsOf,
  rightsWith,
  toAccount,
  toDeal,
  toGroup,
  toListedAccount,
  toPosition,
  toVolume,
} from './translate.ts'
import { encodeQuery, Mt5Record, parseAnswer, readRecords, sanitizeText } from './wire.ts'

const sample = (name: string) => parseAnswer(readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8'))
const one = (name: string) => new Mt5Record(sample(name).answer)
const athens = platformClock({ timeZone: 'Europe/Athens', shiftMinutes: 0 })

test('shows the live metrics of an account with open positions', () => {
  const group = toGroup(one('group-get'))
  assert.deepEqual(group, {
    name: 'real\\standard-usd',
    currency: 'USD',
    currencyDigits: 2,
    minPasswordLength: 8,
    defaultLeverage: null,
    accounting: 'hedging',
  })
  assert.deepEqual(toAccount(one('user-get'), one('account-get'), group), {
    login: '700123',
    group: 'real\\standard-usd',
    currency: 'USD',
    currencyDigits: 2,
    leverage: 200,
    enabled: true,
    tradingAllowed: true,
    passwordChangeAllowed: true,
    balance: '1250.00',
    credit: '0.00',
    equity: '1262.40',
    floating: '12.40',
    margin: '54.05',
    marginFree: '1208.35',
    marginLevel: '2335.62',
    source: 'live',
  })
})

test('shows the record of an account without a live state', () => {
  const account = toAccount(one('user-get'), null, toGroup(one('group-get')))
  assert.deepEqual(
    [account.source, account.equity, account.marginFree, account.marginLevel],
    ['record', '1250.00', '1250.00', null],
  )
})

test('reads rights bit by bit, beyond the range of a number', () => {
  const group = toGroup(one('group-get'))
  const withRights = (rights: string) => {
    const record = { ...(sample('user-get').answer as Record<string, unknown>), Rights: rights }
    const { enabled, tradingAllowed, passwordChangeAllowed } = toAccount(new Mt5Record(record), null, group)
    return [enabled, tradingAllowed, passwordChangeAllowed]
  }
  assert.deepEqual(withRights('355'), [true, true, true])
  assert.deepEqual(withRights('5'), [true, false, false])
  assert.deepEqual(withRights('18446744073709551614'), [false, false, true])
})

test('flips one right and no other bit, beyond the range of a number', () => {
  assert.equal(rightsWith('355', { tradingAllowed: false }), '359')
  assert.equal(rightsWith('359', { tradingAllowed: true }), '355')
  assert.equal(rightsWith('18446744073709551615', { enabled: false }), '18446744073709551614')
  assert.equal(
    rightsWith('18446744069414584320', { enabled: true, passwordChangeAllowed: true }),
    '18446744069414584323',
  )
  assert.equal(rightsWith('9007199254740995', { passwordChangeAllowed: false }), '9007199254740993')
  assert.equal(rightsWith('355', {}), '355')
})

test("lists an account with its owner's details, and without when the manager login cannot read them", () => {
  const listed = toListedAccount(one('user-get'), athens)
  assert.deepEqual([listed.login, listed.enabled, listed.leverage], ['700123', true, 200])
  const hidden = { ...(sample('user-get').answer as Record<string, unknown>), Name: '', Email: '', Comment: '' }
  const { email, name, comment } = toListedAccount(new Mt5Record(hidden), athens)
  assert.deepEqual([email, name, comment], [null, null, ''])
})

test('a closing deal has the opening time of its position, if that deal was read', () => {
  const closing = (readRecords(sample('deal-page')).sort(compareDeals)[1] ?? new Mt5Record({})) as Mt5Record
  const deal = toDeal(closing, athens)
  assert.deepEqual([deal.openedAt, deal.state, deal.platformState], [null, 4, 4])
  const openings = new Map([[deal.position ?? '', deal.at - 3600]])
  assert.equal(toDeal(closing, athens, openings).openedAt, deal.at - 3600)
  assert.deepEqual(openingsOf([closing], athens), new Map())
})

test('positions and deals are in UTC, lots and hundredths', () => {
  const [record] = readRecords(sample('position-page'))
  const position = toPosition(record ?? new Mt5Record({}), athens)
  assert.deepEqual([position.side, position.lots, position.hundredths], ['buy', '0.1', '10'])
  assert.deepEqual([position.sl, position.tp, position.openedAt], ['1.07500', null, 1763730000 - 7200])

  const records = readRecords(sample('deal-page')).sort(compareDeals)
  const [balance, closing] = records.map((deal) => toDeal(deal, athens))
  assert.deepEqual(
    [balance?.cmd, balance?.isTrade, balance?.order, balance?.position, balance?.openPrice, balance?.at],
    ['OP_BALANCE', false, null, null, null, 1763719200 - 7200],
  )
  assert.deepEqual(
    [closing?.cmd, closing?.isTrade, closing?.entry, closing?.openPrice, closing?.profit, closing?.commission],
    ['OP_SELL', true, 1, '1.08100', '25.00', '-0.70'],
  )
})

test('reads a volume in either scale', () => {
  const cases: [Record<string, string>, string, string][] = [
    [{ Volume: '10500', VolumeExt: '105000000' }, '1.05', '105'],
    [{ Volume: '10500' }, '1.05', '105'],
    [{ VolumeExt: '1' }, '0.00000001', '0.000001'],
    [{ Volume: '0' }, '0', '0'],
  ]
  for (const [fields, lots, hundredths] of cases) {
    assert.deepEqual(toVolume(new Mt5Record(fields), 'Volume'), { lots, hundredths })
  }
})

test('only buy and sell deals are trades, and every other action has its own command', () => {
  assert.deepEqual([0, 1, 2, 3, 6].map(dealCommand), ['OP_BUY', 'OP_SELL', 'OP_BALANCE', 'OP_CREDIT', 'OP_CREDIT'])
  for (let action = 2; action < 30; action++) assert.ok(!['OP_BUY', 'OP_SELL'].includes(dealCommand(action)))
})

test('parses answers: leading code, fields in any case, numbers without losing a digit', () => {
  assert.equal(parseAnswer('{"retcode":"10019 Not enough money"}').code, 10019)
  assert.equal(parseAnswer('{"retcode":0,"answer":{"ticket":9007199254740993}}').code, 0)
  const inner = new Mt5Record(parseAnswer('{"retcode":"0 Done","answer":{"ticket":9007199254740993}}').answer)
  assert.equal(inner.text('Ticket'), '9007199254740993')
})

test('rejects a malformed answer with a protocol error that quotes nothing', () => {
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"answer":{}}',
    '{"retcode":"Done"}',
    '{"retcode":"0 Do',
    '<html>Ada</html>',
  ]) {
    assert.throws(
      () => parseAnswer(text),
      (error) => error instanceof GatewayError && error.outcome === 'unknown' && !error.message.includes('Ada'),
      text,
    )
  }
})

test('escapes and encodes values, and simplifies personal texts', () => {
  assert.equal(encodeQuery({ group: 'demo\\forex', comment: 'A1 x' }), 'group=demo%5C%5Cforex&comment=A1%20x')
  assert.equal(encodeQuery({ a: 'b=c|d' }), 'a=b%5C%3Dc%5C%7Cd')
  assert.equal(sanitizeText('Ada=North|\\\n Jr '), 'Ada North    Jr')
})

test('reads a text with half a character or a NUL as one that can be stored', () => {
  const { answer } = parseAnswer('{"retcode":"0 Done","answer":{"Comment":"cut \\ud83d","Name":"A\\u0000da"}}')
  const record = new Mt5Record(answer)
  assert.deepEqual([record.text('Comment'), record.text('Name')], ['cut \ufffd', 'Ada'])
})

test('an account without leverage has that of 1:1', () => {
  const without = { ...(sample('user-get').answer as object), Leverage: '0' }
  assert.equal(toListedAccount(new Mt5Record(without), athens).leverage, 1)
  assert.equal(toAccount(new Mt5Record(without), null, toGroup(one('group-get'))).leverage, 1)
})
