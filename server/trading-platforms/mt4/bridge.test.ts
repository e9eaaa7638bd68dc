import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  activeLogin,
  type Bench,
  callNames,
  dormantLogin,
  group,
  login,
  startBench,
  token,
} from '../../../tests/fixtures/trading/mt4-platform.ts'
import { collect, until } from '../../../tests/fixtures/trading/trading-platforms.ts'
import { type ChangeBalance, GatewayError } from '../contract.ts'
import { makeIntentTag } from '../intent-tag.ts'

const benchTest = (title: string, work: (bench: Bench) => Promise<void>) =>
  test(title, async () => {
    const bench = await startBench()
    try {
      await work(bench)
    } finally {
      await bench.stop()
    }
  })

const money = (change: Partial<ChangeBalance> = {}): ChangeBalance => ({
  tag: makeIntentTag(),
  login,
  kind: 'balance',
  amount: '10',
  currency: 'USD',
  note: 'Deposit',
  refuseIfMarginTooLow: false,
  ...change,
})
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('It should have failed'),
    (error: unknown) => {
      assert.ok(error instanceof GatewayError)
      return [error.outcome, error.reason, error.sent]
    },
  )
const countOf = ({ simulator }: Bench, name: string) =>
  simulator.control.calls().filter(({ call }) => call === name).length
const sends = (bench: Bench) => countOf(bench, callNames.changeBalance)
const nowOf = ({ time }: Bench) => Math.floor(time.now() / 1000)
const person = { firstName: 'Grace', lastName: 'Secretname', email: 'grace.secret@example.test' }
const newAccount = () => ({
  ...person,
  tag: makeIntentTag(),
  kind: 'live' as const,
  group,
  leverage: 100,
  mainPassword: 'Qa7mPz2x',
  investorPassword: 'v9TxR4kLw2',
})

benchTest('repeats a look-up after a ping when an idle connection finds nothing', async (bench) => {
  const { gateway, simulator } = bench
  const wanted = money()
  await gateway.changeBalance(wanted)
  const opened = newAccount()
  const { login: newLogin } = await gateway.openAccount(opened)
  const now = nowOf(bench)
  const stale = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    simulator.control.setSwitches({ stale: true })
    return work()
  }
  assert.equal((await stale(() => gateway.findBalanceByTag(login, wanted.tag, now))).length, 1)
  assert.equal(await stale(() => gateway.findAccountByTag(opened.tag, { group })), newLogin)
  assert.equal((await stale(() => gateway.readAccount(login))).balance, '1010.00')
  assert.equal((await stale(() => gateway.readAccounts([login, activeLogin, dormantLogin]))).size, 3)
  assert.equal((await stale(() => gateway.listPositions(activeLogin))).length, 1)
  assert.ok((await stale(() => collect(gateway.listDeals(login, now - 86_400, now)))).length >= 2)
  assert.ok((await stale(() => gateway.listGroups())).length >= 6)
  assert.equal(await stale(() => gateway.checkPassword(newLogin, 'main', 'Qa7mPz2x')), true)
  await stale(() => gateway.changeBalance(money()))
  assert.equal(simulator.control.account(login)?.balance, '1020.00')
})

benchTest('proves no absence through a bridge that lost its platform', async (bench) => {
  const { gateway, simulator } = bench
  const wanted = money()
  await gateway.changeBalance(wanted)
  simulator.control.setSwitches({ stale: true, connected: false })
  const lost = ['not_executed', 'session_lost', true]
  assert.deepEqual(await failure(gateway.findBalanceByTag(login, wanted.tag, nowOf(bench))), lost)
  assert.deepEqual(await failure(gateway.findAccountByTag(makeIntentTag(), { group })), lost)
  assert.deepEqual(await failure(gateway.readAccount(login)), lost)
  assert.deepEqual(await failure(gateway.readAccounts([login])), lost)
  assert.deepEqual(await failure(gateway.listPositions(activeLogin)), lost)
  assert.deepEqual(await failure(gateway.changeBalance(money())), ['not_executed', 'session_lost', false])
  const health = await gateway.health()
  assert.deepEqual([health.reachable, health.authenticated, health.problems], [true, true, ['not_answering']])
  assert.equal(sends(bench), 1)
})

benchTest('a connection that goes stale between two pages hides no deals', async (bench) => {
  const { gateway, simulator } = bench
  for (let made = 0; made < 150; made++) simulator.control.addLedger(login, { amount: '1', atMs: bench.time.now() })
  const now = nowOf(bench)
  const deals: string[] = []
  for await (const deal of gateway.listDeals(login, now - 60, now + 60)) {
    deals.push(deal.id)
    if (deals.length === 100) simulator.control.setSwitches({ stale: true })
  }
  assert.equal(new Set(deals).size, 151)
})

benchTest('a bridge that knows the key repeats its answer, and one that forgot it would book twice', async (bench) => {
  const { gateway, simulator } = bench
  const wanted = money()
  const first = await gateway.changeBalance(wanted)
  assert.deepEqual(await gateway.changeBalance(wanted), first)
  assert.equal(simulator.control.rowsWithComment(wanted.tag).length, 1)

  // This is why nothing is sent again without a look-up on the platform.
  simulator.control.setSwitches({ forgetsKeys: true })
  const forgotten = money()
  simulator.control.addFault({ path: callNames.changeBalance, times: 1, kind: 'execute-then-drop' })
  assert.deepEqual(await failure(gateway.changeBalance(forgotten)), ['unknown', 'session_lost', true])
  assert.equal((await gateway.findBalanceByTag(login, forgotten.tag, nowOf(bench))).length, 1)
  await gateway.changeBalance(forgotten)
  assert.equal((await gateway.findBalanceByTag(login, forgotten.tag, nowOf(bench))).length, 2)
})

benchTest("a look-up reads the platform and not the bridge's memory", async (bench) => {
  const { gateway, simulator } = bench
  const wanted = money()
  simulator.control.addFault({ path: callNames.changeBalance, times: 1, kind: 'rewrite-comment', comment: 'Bonus!' })
  await gateway.changeBalance(wanted)
  assert.deepEqual(await gateway.findBalanceByTag(login, wanted.tag, nowOf(bench)), [])
  assert.deepEqual(await gateway.findBalanceByTag(login, wanted.tag, nowOf(bench) + 3 * 86_400), [])
})

benchTest('the same key with other content is an unknown outcome, not a refusal', async (bench) => {
  const wanted = money()
  await bench.gateway.changeBalance(wanted)
  const other = { ...wanted, amount: '11' }
  assert.deepEqual(await failure(bench.gateway.changeBalance(other)), ['unknown', 'already_exists', true])
  assert.equal(bench.simulator.control.rowsWithComment(wanted.tag).length, 1)
})

benchTest('a bridge does not remember a refusal: the same call may succeed later', async (bench) => {
  const { gateway, simulator } = bench
  const wanted = money({ amount: '-1500', refuseIfMarginTooLow: true })
  assert.deepEqual(await failure(gateway.changeBalance(wanted)), ['rejected', 'insufficient_funds', true])
  simulator.control.addLedger(login, { amount: '1000', atMs: bench.time.now() })
  await gateway.changeBalance(wanted)
  assert.equal(simulator.control.account(login)?.balance, '500.00')
})

benchTest('classifies every code of a balance operation, and retries none', async (bench) => {
  const { control } = bench.simulator
  for (const code of [2, 3, 4, 6, 7, 8, 9, 64, 65, 128, 133, 134, 137, 141, 142, 143, 146, 150, 54_321]) {
    control.clearCalls()
    control.addFault({ path: callNames.changeBalance, times: 1, kind: 'answer-code', code })
    await failure(bench.gateway.changeBalance(money()))
    assert.equal(sends(bench), 1, `code ${code}`)
  }
  assert.equal(control.ledger(login).length, 1)
})

benchTest('keeps the pause that the bridge asks for', async (bench) => {
  const { gateway, simulator, time } = bench
  simulator.control.setSwitches({ retryAfterSeconds: 7 })
  simulator.control.addFault({ path: callNames.changeBalance, times: 1, kind: 'answer-code', code: 141 })
  assert.deepEqual(await failure(gateway.changeBalance(money())), ['not_executed', 'throttled', true])
  simulator.control.clearCalls()
  const waiting = gateway.readAccount(login)
  time.advance(6_999)
  assert.equal(simulator.control.calls().length, 0)
  time.advance(1)
  assert.equal((await waiting).login, login)
})

benchTest('limits the calls per second', async (bench) => {
  const gateway = bench.connect({ callsPerSecond: 20, callsAtOnce: 32 })
  const clocks = Array.from({ length: 30 }, () => gateway.serverClock())
  await until(() => countOf(bench, 'GET /v1/time') === 20)
  bench.time.advance(999)
  assert.equal(countOf(bench, 'GET /v1/time'), 20)
  bench.time.advance(1)
  await Promise.all(clocks)
})

benchTest('one call without an answer delays no others', async (bench) => {
  const { gateway, simulator, time } = bench
  simulator.control.addFault({ path: 'GET /v1/groups', times: 1, kind: 'delay', ms: 3_600_000 })
  const hanging = failure(gateway.listGroups())
  await until(() => countOf(bench, 'GET /v1/groups') === 1)
  await gateway.changeBalance(money())
  await gateway.readAccount(login)
  time.advance(15_000)
  assert.deepEqual(await hanging, ['unknown', 'timeout', true])
})

benchTest('sends balance operations before waiting reads', async (bench) => {
  const gateway = bench.connect({ callsAtOnce: 1 })
  const reads = [1, 2, 3].map(() => gateway.serverClock())
  await gateway.changeBalance(money())
  await Promise.all(reads)
  const names = bench.simulator.control.calls().map(({ call }) => call)
  assert.ok(names.indexOf(callNames.changeBalance) < names.lastIndexOf('GET /v1/time'), names.join(' · '))
})

benchTest('reads share connections, and each balance operation has its own', async (bench) => {
  const { gateway, simulator } = bench
  for (let read = 0; read < 5; read++) await gateway.readAccount(login)
  const calls = () => simulator.control.calls()
  assert.equal(new Set(calls().map(({ connection }) => connection)).size, 1)
  await gateway.changeBalance(money())
  await gateway.changeBalance(money())
  const own = calls().filter(({ call }) => call === callNames.changeBalance)
  assert.equal(new Set(own.map(({ connection }) => connection)).size, 2)
})

benchTest('backs off from a refused token, alerts after five failures, and recovers', async (bench) => {
  const gateway = bench.connect({ token: 'another-token-of-length' })
  assert.deepEqual(await failure(gateway.changeBalance(money())), ['not_executed', 'auth_failed', false])
  for (let attempt = 2; attempt <= 5; attempt++) {
    const before = bench.simulator.control.calls().length
    assert.deepEqual(await failure(gateway.readAccount(login)), ['not_executed', 'auth_failed', false])
    assert.equal(bench.simulator.control.calls().length, before, 'nothing is sent while backing off')
    bench.time.advance(60_000)
    await failure(gateway.readAccount(login))
  }
  const { reachable, authenticated, problems } = await gateway.health()
  assert.deepEqual([reachable, authenticated, problems], [true, false, ['auth_failed', 'auth_failing_repeatedly']])
  assert.equal(bench.logLines.filter((line) => line.includes('"alert":true')).length, 1)
  assert.deepEqual((await bench.gateway.health()).problems, [])
})

benchTest(
  'a bridge that is down is unreachable and nothing was sent; it is found again after the pause',
  async (bench) => {
    const { gateway, simulator, time } = bench
    await gateway.readAccount(login)
    await simulator.control.down()
    assert.deepEqual(await failure(gateway.changeBalance(money())), ['not_executed', 'unreachable', false])
    const health = await gateway.health()
    assert.deepEqual([health.reachable, health.authenticated, health.problems], [false, false, ['unreachable']])
    await simulator.control.up()
    time.advance(60_000)
    await gateway.changeBalance(money())
    assert.equal(simulator.control.account(login)?.balance, '1010.00')
  },
)

benchTest('a failed read before the balance operation leaves it not executed', async (bench) => {
  bench.simulator.control.addFault({ path: 'GET /v1/accounts/{login}', times: 1, kind: 'delay', ms: 3_600_000 })
  const failing = failure(bench.gateway.changeBalance(money()))
  await until(() => countOf(bench, 'GET /v1/accounts/{login}') === 1)
  bench.time.advance(30_000)
  assert.deepEqual(await failing, ['not_executed', 'timeout', false])
  assert.equal(sends(bench), 0)
})

benchTest('never takes a late answer for the next one', async (bench) => {
  const { gateway, simulator, time } = bench
  simulator.control.addFault({ path: 'GET /v1/accounts/{login}', times: 1, kind: 'late-answer', ms: 3_600_000 })
  const failing = failure(gateway.readAccount(activeLogin))
  await until(() => countOf(bench, 'GET /v1/accounts/{login}') === 1)
  time.advance(15_000)
  assert.deepEqual(await failing, ['unknown', 'timeout', true])
  const next = gateway.readAccount(login)
  simulator.control.landPending()
  assert.equal((await next).login, login)
})

benchTest('closing cuts running calls and refuses waiting ones', async (bench) => {
  const gateway = bench.connect({ callsAtOnce: 1 })
  bench.simulator.control.addFault({ path: callNames.changeBalance, times: 1, kind: 'delay', ms: 3_600_000 })
  const failing = failure(gateway.changeBalance(money()))
  await until(() => sends(bench) === 1)
  const waiting = failure(gateway.readAccount(login))
  await gateway.close()
  assert.deepEqual(await failing, ['unknown', 'shutdown', true])
  assert.deepEqual(await waiting, ['not_executed', 'shutdown', false])
})

benchTest('health shows a bridge with the wrong time zone', async (bench) => {
  bench.simulator.control.setSwitches({ clockShiftSeconds: 40 })
  const slightly = await bench.gateway.health()
  assert.deepEqual([slightly.clockSkewSeconds, slightly.problems], [40, []])
  bench.simulator.control.setSwitches({ clockShiftSeconds: 3_600 })
  assert.deepEqual((await bench.gateway.health()).problems, ['clock_mismatch'])
})

benchTest(
  'texts of people arrive in ASCII and within their limits, an address that does not fit not at all',
  async (bench) => {
    const opened = { ...newAccount(), firstName: 'Žofia', lastName: 'ß'.repeat(90), city: 'Þorlákshöfn'.repeat(9) }
    const email = `${'long.'.repeat(10)}@example.test`
    const { login: made } = await bench.gateway.openAccount({ ...opened, email, phone: '+356 2100 9876' })
    assert.equal((await bench.gateway.readAccount(made)).group, group)
    const wide = { ...newAccount(), mainPassword: 'Pässwörd1' }
    assert.deepEqual(await failure(bench.gateway.openAccount(wide)), ['rejected', 'weak_password', false])
  },
)

benchTest('classifies the other refusals of an opening', async (bench) => {
  const refused = async (change: object) => failure(bench.gateway.openAccount({ ...newAccount(), ...change }))
  assert.deepEqual(await refused({ group: 'nowhere' }), ['rejected', 'invalid_input', true])
  assert.deepEqual(await refused({ leverage: 5_000 }), ['rejected', 'invalid_input', true])
  assert.deepEqual(await refused({ leverage: 0 }), ['rejected', 'invalid_input', false])
  assert.deepEqual(await refused({ login }), ['rejected', 'already_exists', true])
  assert.deepEqual(await refused({ login: '5' }), ['rejected', 'misconfigured', true])
  assert.deepEqual(await refused({ mainPassword: 'abcdefgh' }), ['rejected', 'weak_password', true])
})

benchTest('only balance and credit exist on this platform', async (bench) => {
  await bench.gateway.changeBalance(money({ kind: 'credit', amount: '50' }))
  assert.equal((await bench.gateway.readAccount(login)).credit, '50.00')
  for (const kind of ['charge', 'correction', 'bonus'] as const) {
    assert.deepEqual(await failure(bench.gateway.changeBalance(money({ kind }))), ['rejected', 'not_supported', false])
  }
})

benchTest('distinguishes a manager without the right to book money', async (bench) => {
  bench.simulator.control.setSwitches({ accountantAllowed: false })
  assert.deepEqual(await failure(bench.gateway.changeBalance(money())), ['rejected', 'not_permitted', true])
})

benchTest('reads the capabilities from the server', async (bench) => {
  const { passwordPolicy, leverage, commentChars } = await bench.gateway.capabilities()
  assert.deepEqual(passwordPolicy, { min: 5, max: 15, classes: 'two-of-three', forbidden: '' })
  assert.deepEqual([leverage, commentChars], [{ min: 1, max: 1000 }, 31])
})

benchTest('no log or error contains the token, a password or personal data', async (bench) => {
  const { control } = bench.simulator
  control.addFault({ path: 'GET /v1/accounts/{login}', times: 1, kind: 'execute-then-garbage' })
  await bench.gateway.readAccount(login).catch(() => undefined)
  for (const path of [callNames.changeBalance, callNames.openAccount, callNames.setPassword]) {
    control.addFault({ path, times: 1, kind: 'execute-then-garbage' })
  }
  await failure(bench.gateway.changeBalance(money()))
  await failure(bench.gateway.openAccount(newAccount()))
  control.addFault({ path: callNames.setPassword, times: 1, kind: 'execute-then-drop' })
  await bench.gateway.setPassword(login, 'main', 'Qa7mPz2x').catch(() => undefined)
  const written = bench.logLines.join('\n')
  assert.ok(written.includes('platform.call-failed'))
  for (const secret of [token, 'Privatename', 'ada.private', 'Secretname', 'grace.secret', 'Qa7mPz2x', 'v9TxR4kLw2']) {
    assert.ok(!written.includes(secret), secret)
  }
})
