// spec: OP faults
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeLogin, type Bench, login, startBench } from '../../tests/fixtures/trading/mt5-platform.ts'
import { collect, recordedLog, until } from '../../tests/fixtures/trading/trading-platforms.ts'
import { type GuardedGateway, withBreaker } from './breaker.ts'
import { GatewayError } from './contract.ts'
import { makeIntentTag } from './intent-tag.ts'

const pauses = { firstMs: 1_000, maxMs: 60_000 }
const hourMs = 3_600_000

type Guarded = Bench & { guarded: GuardedGateway; lines: string[] }

function breakerTest(title: string, work: (bench: Guarded) => Promise<void>): void {
  test(title, async () => {
    const bench = await startBench()
    const log = recordedLog()
    const guarded = withBreaker(bench.gateway, { pauses }, { time: bench.time, log })
    try {
      await work({ ...bench, guarded, lines: log.lines })
    } finally {
      await guarded.close()
      await bench.stop()
    }
  })
}

const money = () => ({
  tag: makeIntentTag(),
  login,
  kind: 'balance' as const,
  amount: '10',
  currency: 'USD',
  note: 'Deposit',
  refuseIfMarginTooLow: false,
})

async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const problem = await promise.then(
    () => assert.fail('It should have failed'),
    (reason: unknown) => reason,
  )
  assert.ok(problem instanceof GatewayError)
  return problem
}

const callsOf = ({ simulator }: Bench) => simulator.control.calls().length
const hang = ({ simulator }: Bench) =>
  simulator.control.addFault({ path: '/api/*', times: 1_000, kind: 'delay', ms: hourMs })

/** The failure of a read that may last until its deadline. */
async function failureInTime({ guarded, time }: Guarded): Promise<GatewayError> {
  let failure: GatewayError | undefined
  void failureOf(guarded.readAccount(login)).then((problem) => {
    failure = problem
  })
  await until(() => {
    time.advance(500)
    return failure !== undefined
  })
  return failure ?? assert.fail('It should have failed')
}

/** Reads one after another, each until its deadline, until the log reports an open circuit. */
async function openByReads(bench: Guarded): Promise<void> {
  hang(bench)
  for (let asked = 0; asked < 5; asked += 1) {
    await failureInTime(bench)
    if (bench.lines.some((line) => line.includes('platform.circuit-opened'))) return
  }
  assert.fail('five reads were left without an answer, and the sixth would be sent')
}

/** The same read would be shared. */
const differentReads = ({ guarded }: Guarded) =>
  [guarded.readAccount(login), guarded.readAccounts([login]), guarded.listPositions(login)].map(failureOf)

const refused = ['not_executed', 'unreachable', false]
const refusalOf = ({ outcome, reason, sent }: GatewayError) => [outcome, reason, sent]

breakerTest('after a few reads without an answer, refuses all calls immediately and sends nothing', async (bench) => {
  const { guarded } = bench
  await openByReads(bench)
  const before = callsOf(bench)
  const calls = [
    guarded.readAccount(login),
    guarded.readAccounts([login]),
    guarded.listPositions(login),
    guarded.listGroups(),
    guarded.findGroup('real\\standard-usd'),
    guarded.capabilities(),
    guarded.serverClock(),
    guarded.checkPassword(login, 'main', 'Qa7#mPz2'),
    guarded.findBalanceByTag(login, makeIntentTag(), 0),
    guarded.findAccountByTag(makeIntentTag(), { group: 'real\\standard-usd' }),
    collect(guarded.listDeals(login, 0, 1)),
    collect(guarded.listAccounts(['*'])),
    guarded.changeBalance(money()),
    guarded.setPassword(login, 'main', 'Qa7#mPz2'),
    guarded.setAccess(login, { enabled: true }),
    guarded.changePerson(login, { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.test' }),
  ]
  for (const call of calls) assert.deepEqual(refusalOf(await failureOf(call)), refused)
  assert.equal(callsOf(bench), before)
})

breakerTest('what the adapter knows without a call is no answer of the platform', async (bench) => {
  hang(bench)
  for (let asked = 0; asked < 3; asked += 1) {
    assert.equal((await bench.guarded.capabilities()).passwordPolicy.min, 8)
    await failureInTime(bench)
  }
  assert.ok(bench.lines.some((line) => line.includes('platform.circuit-opened')))
})

breakerTest('a read slower than a member waits counts as failed before it ends', async (bench) => {
  hang(bench)
  const reads = differentReads(bench)
  await until(() => callsOf(bench) > 0)
  bench.time.advance(4_000)
  assert.deepEqual(refusalOf(await failureInTime(bench)), refused)
  bench.time.advance(12_000)
  await Promise.all(reads)
})

breakerTest(
  'open, the health tells operators at once; a probe finds the platform back, and calls go on',
  async (bench) => {
    const { guarded, simulator, time, lines } = bench
    await openByReads(bench)
    const { reachable, problems } = await guarded.health()
    assert.deepEqual([reachable, problems.includes('circuit_open')], [false, true])
    assert.ok(lines.some((line) => line.includes('platform.circuit-opened') && line.includes('"alert":true')))

    // Still down at the first probe: the pause grows, and a member's call is never the probe.
    const before = callsOf(bench)
    await until(() => {
      time.advance(50)
      return callsOf(bench) > before
    })
    assert.deepEqual(refusalOf(await failureOf(guarded.readAccount(login))), refused)
    time.advance(16_000)
    simulator.control.clearFaults()
    simulator.control.dropConnections()
    await until(() => {
      time.advance(50)
      return lines.some((line) => line.includes('platform.circuit-closed'))
    })
    assert.equal((await guarded.readAccount(login)).login, login)
    assert.deepEqual((await guarded.health()).problems, [])
  },
)

breakerTest('an unknown outcome of a balance operation stays unknown when reads open the circuit', async (bench) => {
  const { guarded, simulator, time } = bench
  await guarded.readAccount(login)
  simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'delay', ms: hourMs })
  const wanted = money()
  const sent = failureOf(guarded.changeBalance(wanted))
  await until(() => simulator.control.calls().some(({ path }) => path === '/api/trade/balance'))
  // Reads queued behind it get no answer and open the circuit while it is under way.
  const reads = differentReads(bench)
  time.advance(4_500)
  assert.deepEqual(refusalOf(await failureInTime(bench)), refused)
  time.advance(30_000)
  assert.deepEqual(refusalOf(await sent), ['unknown', 'timeout', true])
  await Promise.all(reads)
})

breakerTest(
  'a hundred concurrent reads by one member are three calls, each of which begins after its reads',
  async (bench) => {
    const { guarded, simulator } = bench
    const logins = [activeLogin, login]
    const readBoth = () => Promise.all([guarded.readAccount(login), guarded.readAccounts(logins)])
    await readBoth()
    const before = callsOf(bench)
    await readBoth()
    const callsOnce = callsOf(bench) - before
    const first = readBoth()
    simulator.control.addLedger(login, { amount: '5.00', atMs: bench.time.now(), comment: 'Interest' })
    const others = Array.from({ length: 100 }, readBoth)
    await first
    for (const [account, accounts] of await Promise.all(others))
      assert.deepEqual(
        [account.balance, accounts.get(login)?.balance],
        Array(2).fill(simulator.control.account(login)?.balance),
      )
    assert.equal(callsOf(bench) - before, 4 * callsOnce)
  },
)

breakerTest('a call without an answer counts once, however many reads wait for it', async (bench) => {
  hang(bench)
  let ended = 0
  const reads = Array.from({ length: 50 }, () =>
    bench.guarded.readAccount(login).catch(() => {
      ended += 1
    }),
  )
  await until(() => callsOf(bench) > 0)
  bench.time.advance(4_000)
  assert.ok(!bench.lines.some((line) => line.includes('platform.circuit-opened')))
  await until(() => {
    bench.time.advance(500)
    return ended === reads.length
  })
})

breakerTest('refusals and malformed answers count as answers and never open it', async (bench) => {
  const { guarded, simulator } = bench
  for (let asked = 0; asked < 8; asked += 1) {
    assert.equal((await failureOf(guarded.readAccount('999999'))).reason, 'not_found')
  }
  simulator.control.addFault({ path: '/api/user/get', times: 8, kind: 'execute-then-garbage' })
  for (let asked = 0; asked < 8; asked += 1) {
    assert.equal((await failureOf(guarded.readAccount(login))).reason, 'protocol')
  }
  assert.equal((await guarded.readAccount(login)).login, login)
})

breakerTest('an answer in between resets the count', async (bench) => {
  const { guarded, simulator } = bench
  for (let round = 0; round < 4; round += 1) {
    // The adapter tries a read twice, so two drops are one failure.
    simulator.control.addFault({ path: '/api/user/get', times: 4, kind: 'drop-before' })
    for (let asked = 0; asked < 2; asked += 1) {
      assert.equal((await failureOf(guarded.readAccount(login))).reason, 'session_lost')
    }
    assert.equal((await guarded.readAccount(login)).login, login)
  }
})
