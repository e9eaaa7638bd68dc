import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AccountSeed } from '../metatrader/seeds.ts'
import { connectMt4Control } from './control-client.ts'
import { type Mt4Simulator, type Mt4SimulatorOptions, startMt4Simulator } from './simulator.ts'

const token = 'a-token-of-some-length'
const usual: Mt4SimulatorOptions = {
  port: 0,
  stateFile: ':memory:',
  token,
  timeZone: 'Europe/Athens',
  movingPrices: false,
}
const ada: AccountSeed = {
  login: '400123',
  group: 'real-usd',
  name: 'Ada North',
  leverage: 200,
  balance: '1250',
  mainPassword: 'Qa7mPz2x',
  positions: [
    {
      symbol: 'EURUSD',
      side: 'buy',
      lots: '0.1',
      openPrice: '1.08100',
      openedAtMs: Date.now() - 86_400_000,
      swap: '-0.5',
    },
  ],
}
const tag = 'A7Q2M9K4ZX0B3C8D1'

type Answer = { status: number; body: Record<string, unknown> }
type Call = (target: string, sending?: { method?: string; body: object; key?: string }) => Promise<Answer>

/** A separate client: the adapter must not test its own simulator. */
function callerOf({ url }: Mt4Simulator): Call {
  return async (target, sending) => {
    const key = sending?.key === undefined ? {} : { 'idempotency-key': sending.key }
    const response = await fetch(`${url}/v1${target}`, {
      method: sending?.method ?? (sending === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...key },
      ...(sending !== undefined && { body: JSON.stringify(sending.body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) }
  }
}

async function withSimulator(work: (simulator: Mt4Simulator, call: Call) => Promise<void>): Promise<void> {
  const simulator = await startMt4Simulator(usual)
  simulator.control.seedAccounts([ada])
  try {
    await work(simulator, callerOf(simulator))
  } finally {
    await simulator.stop()
  }
}

const itemsOf = ({ body }: Answer) => body.items as Record<string, unknown>[]
const book = (amount: string, more: object = {}) => ({
  body: { tag, kind: 'balance', amount, comment: `${tag} Test`, check_margin: true, ...more },
})

test('metrics of an account with an open trade are consistent and change', () =>
  withSimulator(async (simulator, call) => {
    const { equity, floating, margin, margin_free, margin_level } = (await call('/accounts/400123')).body
    assert.deepEqual(
      { equity, floating, margin, margin_free, margin_level },
      { equity: '1262.40', floating: '12.40', margin: '54.05', margin_free: '1208.35', margin_level: '2335.62' },
    )
    const [trade] = itemsOf(await call('/accounts/400123/trades'))
    assert.deepEqual([trade?.cmd, trade?.volume, trade?.profit, trade?.close_time], [0, 10, '12.90', null])
    simulator.control.setBid('EURUSD', '1.08329')
    assert.equal((await call('/accounts/400123')).body.floating, '22.40')
  }))

test('applies margin, credit and idempotency keys to balance operations', () =>
  withSimulator(async (simulator, call) => {
    const path = '/accounts/400123/balance-operations'
    const booked = async (amount: string, key: string, more: object = {}) =>
      (await call(path, { ...book(amount, more), key: `test-key-number-${key}` })).status
    assert.equal(await booked('-1208.36', '01'), 422)
    assert.equal(await booked('-1208.36', '02', { check_margin: false }), 201)
    assert.equal(await booked('-1208.36', '03', { check_margin: false }), 422)
    assert.equal(await booked('1000000000.01', '04'), 422)
    assert.equal(await booked('-1', '05', { kind: 'credit' }), 422)
    assert.equal(await booked('50', '06', { kind: 'credit' }), 201)
    assert.equal(await booked('7', '07'), 201)
    assert.equal(await booked('7', '07'), 201)
    assert.equal(await booked('8', '07'), 409)
    const { balance, credit } = simulator.control.account('400123') ?? {}
    assert.deepEqual([balance, credit], ['48.64', '50.00'])
    const window = 'from=2000-01-01T00:00:00Z&to=2037-01-01T00:00:00Z'
    const found = itemsOf(await call(`${path}?tag=${tag.toLowerCase()}&${window}`))
    assert.deepEqual(
      found.map(({ amount }) => amount),
      ['-1208.36', '50.00', '7.00'],
    )
  }))

test('converts platform time to UTC, with the first of a repeated hour', async () => {
  const moments = [
    ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00Z'],
    ['2026-07-15T10:00:00Z', '2026-07-15T10:00:00Z'],
    ['2026-10-25T00:30:00Z', '2026-10-25T00:30:00Z'],
    ['2026-10-25T01:30:00Z', '2026-10-25T00:30:00Z'],
  ]
  await withSimulator(async (simulator, call) => {
    for (const [moment = '', closedAt] of moments) {
      simulator.control.addLedger('400123', { amount: '1', atMs: Date.parse(moment) })
      const window = `from=${moment}&to=${moment}`
      const rows = itemsOf(await call(`/accounts/400123/history?${window}`))
      assert.equal(rows.at(-1)?.close_time, closedAt)
    }
  })
})

test('pages neither skip nor repeat rows when new ones arrive', () =>
  withSimulator(async (simulator, call) => {
    const now = Date.now()
    for (let made = 0; made < 25; made++) simulator.control.addLedger('400123', { amount: '1', atMs: now })
    const window = `from=2000-01-01T00:00:00Z&to=2037-01-01T00:00:00Z&limit=10`
    const orders: unknown[] = []
    let cursor: unknown = ''
    while (cursor !== null) {
      const page = await call(`/accounts/400123/history?${window}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      orders.push(...itemsOf(page).map(({ order }) => order))
      cursor = page.body.next_cursor
      simulator.control.addLedger('400123', { amount: '2', atMs: now - 3_600_000 })
    }
    assert.equal(orders.length, 26)
    assert.equal(new Set(orders).size, 26)
  }))

test('an idle connection returns empty reads until a ping', () =>
  withSimulator(async (simulator, call) => {
    simulator.control.setSwitches({ stale: true })
    assert.equal((await call('/accounts/400123')).status, 404)
    assert.deepEqual(itemsOf(await call('/accounts?group=real-usd')), [])
    assert.deepEqual(itemsOf(await call('/groups')), [])
    assert.equal((await call('/accounts/400123/balance-operations', { ...book('1'), key: tag })).status, 503)
    assert.equal((await call('/health')).body.connected, true)
    assert.equal((await call('/accounts/400123')).status, 200)
  }))

test('checks passwords, logins, groups and flags of accounts, and reports a removed one', () =>
  withSimulator(async (simulator, call) => {
    const person = { tag, group: 'real-usd', leverage: 100, name: 'Ben South' }
    const passwords = { password: 'Qa7mPz2x', investor_password: 'v9TxR4kLw2' }
    let counted = 0
    const open = (change: object) => {
      counted += 1
      return call('/accounts', { body: { ...person, ...passwords, ...change }, key: `opening-number-${counted}` })
    }
    const wordOf = ({ body }: Answer) => (body.error as { code: string } | undefined)?.code
    for (const password of ['Ab1x', 'onlylower', 'Sixteen-Chars-16', 'Pässwörd1']) {
      assert.equal(wordOf(await open({ password })), 'weak_password', password)
    }
    assert.equal(wordOf(await open({ group: 'nowhere' })), 'invalid')
    assert.equal(wordOf(await open({ login: '400123' })), 'already_exists')
    assert.equal(wordOf(await open({ login: '5' })), 'misconfigured')
    assert.equal(wordOf(await open({ name: 'x'.repeat(128) })), 'invalid')
    const made = await open({})
    assert.deepEqual([made.status, made.body.login, made.body.comment], [201, '400124', tag])
    assert.equal((await call('/accounts/400124')).body.equity, null)
    const access = { method: 'PATCH', body: { enable: false } }
    assert.equal((await call('/accounts/400124/access', access)).body.enable, false)
    simulator.control.removeAccount('400124')
    assert.equal((await call('/accounts/400124')).status, 404)
    assert.deepEqual(
      itemsOf(await call('/accounts?group=real-usd')).map((account) => account.login),
      ['400123'],
    )
  }))

test('refuses everything without the token, and reveals nothing', () =>
  withSimulator(async ({ url }) => {
    for (const authorization of ['', 'Bearer ', 'Bearer another-token-of-length', token]) {
      const response = await fetch(`${url}/v1/accounts/400123`, { headers: { authorization } })
      assert.equal(response.status, 401)
      assert.ok(!(await response.text()).includes('Ada'))
    }
  }))

test('state and idempotency keys survive a restart, and contain no password', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-mt4-'))
  const stateFile = join(folder, 'mt4.sqlite')
  try {
    const first = await startMt4Simulator({ ...usual, stateFile })
    first.control.seedAccounts([ada])
    const path = '/accounts/400123/balance-operations'
    const booked = await callerOf(first)(path, { ...book('5'), key: tag })
    first.control.tickPrices(10)
    const seen = [first.control.account('400123'), first.control.ledger('400123')]
    await first.stop()
    const second = await startMt4Simulator({ ...usual, stateFile })
    assert.deepEqual(second.control.seedAccounts([ada]), [])
    assert.deepEqual(await callerOf(second)(path, { ...book('5'), key: tag }), booked)
    const control = connectMt4Control(second.controlUrl)
    assert.deepEqual([await control.account('400123'), await control.ledger('400123')], seen)
    const check = { body: { which: 'main', password: 'Qa7mPz2x' } }
    assert.equal((await callerOf(second)('/accounts/400123/password-check', check)).body.valid, true)
    await second.stop()
    assert.ok(!readFileSync(stateFile).includes('Qa7mPz2x'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
