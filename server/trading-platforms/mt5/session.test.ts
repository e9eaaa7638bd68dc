import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  activeLogin,
  type Bench,
  dormantLogin,
  login,
  managerPassword,
  startBench,
} from '../../../tests/fixtures/trading/mt5-platform.ts'
import { until } from '../../../tests/fixtures/trading/trading-platforms.ts'
import { GatewayError } from '../contract.ts'
import { makeIntentTag } from '../intent-tag.ts'

const benchTest = (title: string, work: (bench: Bench, context: TestContext) => Promise<void>) =>
  test(title, async (context) => {
    const bench = await startBench()
    try {
      await work(bench, context)
    } finally {
      await bench.stop()
    }
  })

const pathsOf = ({ simulator }: Bench) => simulator.control.calls().map((call) => call.path)
const countOf = (bench: Bench, path: string) => pathsOf(bench).filter((one) => one === path).length
const forbidden = ({ simulator }: Bench) => simulator.control.calls().filter((call) => call.forbidden)
const money = (change: { amount?: string } = {}) => ({
  tag: makeIntentTag(),
  login,
  kind: 'balance' as const,
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

benchTest('parallel calls use one signed-in socket', async (bench) => {
  const { gateway, simulator } = bench
  const logins = [login, activeLogin, dormantLogin]
  await Promise.all([...logins, ...logins].map((one) => gateway.readAccount(one)))
  assert.equal(new Set(simulator.control.calls().map((call) => call.connection)).size, 1)
  assert.equal(countOf(bench, '/api/auth/answer'), 1)
  assert.deepEqual(forbidden(bench), [])
})

benchTest('signs in again for the next read after a disconnect, once', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.simulator.control.dropConnections()
  await Promise.all([bench.gateway.readAccount(login), bench.gateway.readAccount(activeLogin)])
  assert.equal(countOf(bench, '/api/auth/answer'), 2)
  assert.deepEqual(forbidden(bench), [])
})

benchTest('repeats a read once when the server has forgotten the session', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.simulator.control.addFault({ path: '/api/user/get', times: 1, kind: 'close-session' })
  assert.equal((await bench.gateway.readAccount(login)).balance, '1000.00')
  bench.simulator.control.addFault({ path: '/api/user/get', times: 2, kind: 'close-session' })
  assert.deepEqual(await failure(bench.gateway.readAccount(login)), ['not_executed', 'session_lost', true])
})

benchTest('pings every 20 seconds while idle, measures the clock hourly, and never gets a 403', async (bench) => {
  await bench.gateway.readAccount(login)
  const traffic = () => countOf(bench, '/api/test/access') + countOf(bench, '/api/time/server')
  const before = traffic()
  for (let ping = 1; ping <= 185; ping++) {
    bench.time.advance(20_000)
    await until(() => traffic() === before + ping)
    // Our call is queued behind the ping, so its answer means that the ping has ended.
    await bench.gateway.listGroups()
  }
  assert.equal(countOf(bench, '/api/time/server'), 2)
  await bench.gateway.changeBalance(money())
  assert.equal(countOf(bench, '/api/auth/answer'), 1)
  assert.deepEqual(forbidden(bench), [])
})

benchTest('postpones the ping on traffic', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.time.advance(15_000)
  await bench.gateway.readAccount(login)
  bench.time.advance(15_000)
  await bench.gateway.readAccount(login)
  assert.equal(countOf(bench, '/api/test/access'), 0)
})

benchTest('sends no balance operation into a dead session after a long sleep', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.time.sleep(200_000)
  await bench.gateway.changeBalance(money())
  assert.deepEqual(
    forbidden(bench).map((call) => call.path),
    ['/api/user/get'],
  )
  assert.equal(bench.simulator.control.ledger(login).length, 2)
})

benchTest('sends no password into a dead session either: a ping detects it', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.time.sleep(200_000)
  await bench.gateway.setPassword(login, 'main', 'Qa7#mPz2')
  assert.deepEqual(
    forbidden(bench).map((call) => call.path),
    ['/api/test/access'],
  )
})

benchTest('disconnects from a server that cannot prove the password, alerts, and sends nothing', async (bench) => {
  bench.simulator.control.setSwitches({ wrongServerProof: true })
  assert.deepEqual(await failure(bench.gateway.changeBalance(money())), ['not_executed', 'auth_failed', false])
  assert.deepEqual(pathsOf(bench), ['/api/auth/start', '/api/auth/answer'])
  assert.ok((await bench.gateway.health()).problems.includes('server_not_proven'))
  assert.ok(bench.logLines.some((line) => line.includes('"alert":true') && line.includes('server_not_proven')))
})

benchTest('backs off from a wrong password, alerts after five failures, and recovers', async (bench) => {
  const { simulator, time } = bench
  const gateway = bench.connect({ managerPassword: 'another' })
  for (let attempt = 1; attempt <= 5; attempt++) {
    assert.deepEqual(await failure(gateway.readAccount(login)), ['not_executed', 'auth_failed', false])
    assert.equal(countOf(bench, '/api/auth/start'), attempt)
    assert.deepEqual(await failure(gateway.changeBalance(money())), ['not_executed', 'auth_failed', false])
    assert.equal(countOf(bench, '/api/auth/start'), attempt, 'nothing is sent while backing off')
    time.advance(60_000)
  }
  assert.equal(bench.logLines.filter((line) => line.includes('"alert":true')).length, 1)
  assert.ok((await gateway.health()).problems.includes('auth_failing_repeatedly'))
  simulator.control.setSwitches({ authCode: 1012 })
  time.advance(60_000)
  assert.deepEqual(await failure(bench.gateway.readAccount(login)), ['not_executed', 'auth_failed', false])
  simulator.control.resetSwitches()
  time.advance(60_000)
  assert.equal((await bench.gateway.readAccount(login)).login, login)
  assert.deepEqual((await bench.gateway.health()).problems, [])
})

benchTest(
  'a platform that is down is unreachable and nothing was sent; it is found again after the pause',
  async (bench) => {
    await bench.simulator.control.down()
    assert.deepEqual(await failure(bench.gateway.changeBalance(money())), ['not_executed', 'unreachable', false])
    const health = await bench.gateway.health()
    assert.deepEqual([health.reachable, health.authenticated, health.problems], [false, false, ['unreachable']])
    await bench.simulator.control.up()
    bench.time.advance(60_000)
    await bench.gateway.changeBalance(money())
    assert.equal(bench.simulator.control.ledger(login).length, 2)
  },
)

benchTest('a sign-in without an answer ends at its own deadline, and no money was sent', async (bench) => {
  bench.simulator.control.addFault({ path: '/api/auth/start', times: 1, kind: 'delay', ms: 3_600_000 })
  const failing = failure(bench.gateway.changeBalance(money()))
  await until(() => countOf(bench, '/api/auth/start') === 1)
  bench.time.advance(8_000)
  assert.deepEqual(await failing, ['not_executed', 'unreachable', false])
  assert.equal(countOf(bench, '/api/trade/balance'), 0)
})

benchTest('a call that reaches its deadline while signing in was not sent', async (bench) => {
  const gateway = bench.connect({ deadlines: { writeMs: 3_000 } })
  bench.simulator.control.addFault({ path: '/api/auth/start', times: 1, kind: 'delay', ms: 3_600_000 })
  const failing = failure(gateway.setPassword(login, 'main', 'Qa7#mPz2'))
  await until(() => countOf(bench, '/api/auth/start') === 1)
  bench.time.advance(3_000)
  assert.deepEqual(await failing, ['not_executed', 'timeout', false])
})

benchTest('a failed read before the balance operation leaves it not executed', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.simulator.control.addFault({ path: '/api/user/get', times: 1, kind: 'delay', ms: 3_600_000 })
  bench.simulator.control.clearCalls()
  const failing = failure(bench.gateway.changeBalance(money()))
  await until(() => countOf(bench, '/api/user/get') === 1)
  bench.time.advance(30_000)
  assert.deepEqual(await failing, ['not_executed', 'timeout', false])
  assert.equal(countOf(bench, '/api/trade/balance'), 0)
})

benchTest('never takes a late answer for the next one', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.simulator.control.clearCalls()
  bench.simulator.control.addFault({ path: '/api/user/get', times: 1, kind: 'late-answer', ms: 3_600_000 })
  const failing = failure(bench.gateway.readAccount(activeLogin))
  await until(() => countOf(bench, '/api/user/get') === 1)
  bench.time.advance(15_000)
  const [outcome, reason] = await failing
  assert.deepEqual([outcome, reason], ['unknown', 'timeout'])
  const next = bench.gateway.readAccount(login)
  bench.simulator.control.landPending()
  assert.equal((await next).login, login)
})

benchTest('a call that never leaves the queue was not sent', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.simulator.control.clearCalls()
  bench.simulator.control.addFault({ path: '/api/group/next', times: 1, kind: 'delay', ms: 3_600_000 })
  const first = failure(bench.gateway.listGroups())
  const second = failure(bench.gateway.serverClock())
  await until(() => countOf(bench, '/api/group/next') === 1)
  bench.time.advance(15_000)
  assert.deepEqual(await first, ['unknown', 'timeout', true])
  assert.deepEqual(await second, ['not_executed', 'timeout', false])
  assert.equal(countOf(bench, '/api/time/server'), 0)
})

benchTest('sends balance operations before waiting reads', async (bench) => {
  await bench.gateway.readAccount(login)
  bench.simulator.control.clearCalls()
  const reads = [1, 2, 3].map(() => bench.gateway.serverClock())
  await bench.gateway.changeBalance(money())
  await Promise.all(reads)
  const paths = pathsOf(bench)
  assert.ok(paths.indexOf('/api/trade/balance') < paths.lastIndexOf('/api/time/server'), paths.join(' '))
})

benchTest('limits calls to twenty per second', async (bench) => {
  const gateway = bench.connect({ callsPerSecond: 20 })
  const clocks = Array.from({ length: 30 }, () => gateway.serverClock())
  await until(() => countOf(bench, '/api/time/server') === 20)
  await gateway.capabilities()
  bench.time.advance(999)
  assert.equal(countOf(bench, '/api/time/server'), 20)
  bench.time.advance(1)
  await Promise.all(clocks)
  assert.equal(countOf(bench, '/api/time/server'), 31)
})

benchTest('closing sends a quit message, and cuts running calls', async (bench) => {
  await bench.gateway.readAccount(login)
  await bench.gateway.close()
  assert.equal(countOf(bench, '/api/quit'), 1)

  const other = bench.connect()
  bench.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'delay', ms: 3_600_000 })
  const failing = failure(other.changeBalance(money()))
  await until(() => countOf(bench, '/api/trade/balance') === 1)
  const waiting = failure(other.readAccount(login))
  await other.close()
  assert.deepEqual(await failing, ['unknown', 'shutdown', true])
  assert.deepEqual(await waiting, ['not_executed', 'shutdown', false])
})

benchTest('handles the differences between builds', async (bench) => {
  const { control } = bench.simulator
  const usual = await bench.gateway.readAccount(activeLogin)
  const positions = await bench.gateway.listPositions(activeLogin)
  const changes = [
    { numbersAsNumbers: true },
    { lowerCaseTotal: true },
    { withoutExtVolumes: true },
    { emptyList: '1' },
    { emptyList: '13' },
    { cookie: true },
    { leadingZeroRand: true },
  ] as const
  for (const change of changes) {
    control.resetSwitches()
    control.setSwitches(change)
    const gateway = bench.connect()
    assert.deepEqual(await gateway.readAccount(activeLogin), usual, JSON.stringify(change))
    assert.deepEqual(await gateway.listPositions(activeLogin), positions, JSON.stringify(change))
    assert.deepEqual(await gateway.listPositions(login), [])
    assert.deepEqual(await gateway.readAccounts(['999999']), new Map())
    assert.deepEqual(await gateway.findBalanceByTag('999999', makeIntentTag(), 0), [])
  }
})

benchTest('distinguishes missing permissions from missing accounts', async (bench) => {
  const { control } = bench.simulator
  control.setSwitches({ accountantAllowed: false })
  assert.deepEqual(await failure(bench.gateway.changeBalance(money())), ['rejected', 'not_permitted', true])
  control.resetSwitches()
  control.setSwitches({ personalDataVisible: false })
  const hint = { group: 'real\\standard-usd' }
  const lookUp = failure(bench.gateway.findAccountByTag(makeIntentTag(), hint))
  assert.deepEqual(await lookUp, ['rejected', 'not_permitted', true])
})

benchTest('classifies every code of a balance operation, and retries none', async (bench) => {
  const { control } = bench.simulator
  const codes = [2, 4, 8, 10, 12, 15, 17, 1002, 4005, 10009, 10017, 10019, 12001, 12003, 54_321]
  for (const code of codes) {
    control.clearCalls()
    control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code })
    await failure(bench.gateway.changeBalance(money()))
    assert.equal(countOf(bench, '/api/trade/balance'), 1, `code ${code}`)
  }
  assert.equal(control.ledger(login).length, 1)
})

benchTest('success without a ticket is unknown', async (bench) => {
  for (const code of [0, 1]) {
    bench.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code })
    assert.deepEqual(await failure(bench.gateway.changeBalance(money())), ['unknown', 'protocol', true])
  }
})

benchTest('a plugin that rewrites comments hides the tag from the look-up', async (bench) => {
  const wanted = money()
  const rule = { path: '/api/trade/balance', times: 1, kind: 'rewrite-comment', comment: 'Bonus week!' } as const
  bench.simulator.control.addFault(rule)
  await bench.gateway.changeBalance(wanted)
  const since = Math.floor(bench.time.now() / 1000)
  assert.deepEqual(await bench.gateway.findBalanceByTag(login, wanted.tag, since), [])
})

benchTest('a look-up uses a session that began after the send', async (bench) => {
  const wanted = money()
  await bench.gateway.changeBalance(wanted)
  const since = Math.floor(bench.time.now() / 1000)
  bench.time.advance(5_000)
  assert.equal((await bench.gateway.findBalanceByTag(login, wanted.tag, since)).length, 1)
  assert.equal(countOf(bench, '/api/auth/answer'), 2)
  assert.equal((await bench.gateway.findBalanceByTag(login, wanted.tag, since)).length, 1)
  assert.equal(countOf(bench, '/api/auth/answer'), 2)
})

benchTest('health shows a wrong clock or time zone', async (bench) => {
  bench.simulator.control.setSwitches({ clockShiftSeconds: 40 })
  const slightly = await bench.gateway.health()
  assert.deepEqual([slightly.clockSkewSeconds, slightly.problems], [40, []])
  const health = await bench.connect({ timeZone: 'UTC' }).health()
  assert.deepEqual([health.clockSkewSeconds, health.problems], [3 * 3600 + 40, ['clock_mismatch']])
})

benchTest('health of a busy platform follows its clock through the change to winter time', async (bench) => {
  bench.time.advance(Date.parse('2026-10-25T00:59:00Z') - bench.time.now())
  assert.deepEqual((await bench.gateway.health()).problems, [])
  // Traffic every few seconds leaves no room for a ping, which measures the clock.
  for (let seconds = 0; seconds < 180; seconds += 10) {
    bench.time.advance(10_000)
    await bench.gateway.readAccount(login)
  }
  const health = await bench.gateway.health()
  assert.deepEqual([health.clockSkewSeconds, health.problems], [0, []])
})

benchTest('no log or error contains the password, a proof or personal data', async (bench) => {
  const { control } = bench.simulator
  control.addFault({ path: '/api/user/get', times: 1, kind: 'execute-then-garbage' })
  await bench.gateway.readAccount(login).catch(() => undefined)
  control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-garbage' })
  await failure(bench.gateway.changeBalance(money()))
  control.setSwitches({ wrongServerProof: true })
  await bench.connect().health()
  const written = bench.logLines.join('\n')
  assert.ok(written.includes('platform.call-failed'))
  for (const secret of [managerPassword, 'srv_rand', 'cli_rand', 'Privatename', 'ada.private']) {
    assert.ok(!written.includes(secret), secret)
  }
})
