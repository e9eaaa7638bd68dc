/**
 * `npm run bench -- hanging`: two platforms, one of which stops answering while members keep asking about their accounts on both.
 * Reports the time of unrelated calls compared with just before, the delay until the last known balance is shown, and
 * the number of calls to the hanging platform before its circuit opens.
 */

import { Agent, get } from 'node:http'
import { buildApp } from '../../server/app.ts'
import type { System } from '../../server/foundation/actor.ts'
import { type Mt5Simulator, startMt5Simulator } from '../../simulators/mt5/simulator.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { describeMeasurement, type Measurement, measure, middleOf } from '../measure/measurement.ts'
import { listen, onFixture } from '../setup.ts'

const rounds = 3
const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 1_200)
const connections = 4
const hourMs = 3_600_000
const manager = { login: '1002', password: 'Bench-Manager-1' }
const agent = new Agent({ keepAlive: true, maxSockets: 100 })

const accounts = (sync: boolean) =>
  `{ current_member { accounts(sync: ${sync}) { _id balance balance_as_of balance_is_live } } }`
const unrelated = [
  accounts(true),
  '{ balance_transactions(limit: 15, page: 1, withCount: true) { _id ticket amount } }',
]

await onFixture(async ({ context }) => {
  const system = await addWorkspace(context, { subdomain: 'bench', isDefault: true })
  const [hanging, sound] = [await addSide(system, 'The one that hangs'), await addSide(system, 'The other')]
  const app = await buildApp(context)
  const ask = asker(await listen(app))
  const calm: Measurement[] = []
  const beside: Measurement[] = []
  const known: Measurement[] = []
  try {
    for (const { tokens } of [hanging, sound]) for (const token of tokens) await ask(token, accounts(true))
    await measureOthers(200)
    for (let round = 0; round < rounds; round++) {
      calm.push(await during(async () => measureOthers(requests)))
      hanging.simulator.control.addFault({ path: '/api/*', times: 1_000_000, kind: 'delay', ms: hourMs })
      hanging.simulator.control.clearCalls()
      const asked = performance.now()
      const [hung, shown] = await Promise.all([
        during(async () => measureOthers(requests)),
        measure(2, 200, async (index) => void (await ask(of(hanging, index), accounts(false)))),
        untilLeftAlone(asked),
      ])
      beside.push(hung)
      known.push(shown)
      hanging.simulator.control.clearFaults()
      hanging.simulator.control.dropConnections()
      await untilAskedAgain()
    }
  } finally {
    await app.close()
    for (const { simulator } of [hanging, sound]) await simulator.stop()
  }
  const [before, then] = [middleOf(calm), middleOf(beside)]
  console.log(describeMeasurement('Others, both platforms working', before))
  console.log(describeMeasurement('Others, one platform hangs', then, before))
  console.log(`  ${'Their p99 against before (bar 1.20)'.padEnd(44)}   ${(then.p99Ms / before.p99Ms).toFixed(2)} x`)
  console.log(describeMeasurement('Last known balance (bar 1,000 ms)', middleOf(known)))

  function measureOthers(count: number): Promise<Measurement> {
    return measure(connections, count, async (index) => {
      await ask(of(sound, index), unrelated[index % unrelated.length] ?? '')
    })
  }

  /** Members of the first platform keep asking, as an account list does every few seconds. */
  async function during(work: () => Promise<Measurement>): Promise<Measurement> {
    let isOver = false
    const asking = Array.from({ length: 8 }, async (_, connection) => {
      for (let index = connection; !isOver; index += 8) {
        await ask(of(hanging, index), accounts(true))
        await pause(200)
      }
    })
    const measurement = await work()
    isOver = true
    await Promise.all(asking)
    return measurement
  }

  /** Returns once answers carry the last known account metrics without a platform call. */
  async function untilLeftAlone(since: number): Promise<void> {
    for (;;) {
      const started = performance.now()
      await ask(of(hanging, 0), accounts(true))
      const now = performance.now()
      // Metrics up to a second old are shown without a call in any case.
      if (now - since > 2_000 && now - started < 1_000) break
      await pause(100)
    }
    const reads = hanging.simulator.control.calls().filter(({ path }) => path.startsWith('/api/user/')).length
    const after = ((performance.now() - since) / 1_000).toFixed(1)
    console.log(`  Circuit open within ${after} s, after ${reads} reads of members without an answer (bar 5)`)
  }

  async function untilAskedAgain(): Promise<void> {
    const started = performance.now()
    for (;;) {
      const answer = await ask(of(hanging, 1), accounts(true))
      if (answer.includes('"balance_is_live":true')) break
      await pause(200)
    }
    const after = ((performance.now() - started) / 1_000).toFixed(1)
    console.log(`  Live account metrics available again ${after} s after it answers`)
  }
})

type Side = { simulator: Mt5Simulator; tokens: string[] }

function of({ tokens }: Side, index: number): string {
  return tokens[index % tokens.length] ?? ''
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A platform with forty members, one account each. */
async function addSide(system: System, name: string): Promise<Side> {
  const simulator = await startMt5Simulator({
    port: 0,
    stateFile: ':memory:',
    managers: [manager],
    timeZone: 'Europe/Athens',
    movingPrices: false,
  })
  const backOff = { firstMs: 500, maxMs: 2_000 }
  const settings = { baseUrl: simulator.url, managerLogin: manager.login, timeZone: 'Europe/Athens', backOff }
  const connection = {
    settings: { ...settings, allowPlainHttp: true, callsPerSecond: 10_000 },
    secret: { managerPassword: manager.password },
  }
  const platformId = await addPlatform(system, { name, connection })
  const tokens: string[] = []
  for (let place = 0; place < 40; place++) {
    const login = String(700_001 + place)
    const account = { login, group: 'real\\standard-usd', name: 'Bench Member', leverage: 100, balance: '1000.00' }
    simulator.control.seedAccounts([account])
    const { memberId } = await addMember(system, { documents_status: 'approved' })
    await addAccount(system, { memberId, platformId, platform_login: login })
    tokens.push((await openTestSession(system, { kind: 'member', id: memberId })).token)
  }
  return { simulator, tokens }
}

function asker(url: string): (token: string, document: string) => Promise<string> {
  return (token, document) =>
    new Promise((resolve, reject) => {
      const address = `${url}/graph?q=${Buffer.from(document).toString('base64url')}`
      const asked = get(address, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const body = Buffer.concat(parts).toString()
          if (answer.statusCode !== 200 || body.includes('"errors"')) reject(new Error(`${answer.statusCode} ${body}`))
          else resolve(body)
        })
      })
      asked.on('error', reject)
    })
}
