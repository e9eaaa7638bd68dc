/**
 * Two operating system processes with watching members, some of them in both: together they read each account once a
 * second, and when one is killed the other takes over for the remaining watchers.
 */

import assert from 'node:assert/strict'
import { type ClientRequest, get } from 'node:http'
import { after, before, test } from 'node:test'
import { accountMetricsEvent, watchAccountMetrics } from '@atrium/contract/accounts/live-metrics.ts'
import { type Mt5Simulator, startMt5Simulator } from '../../simulators/mt5/simulator.ts'
import { type ChildServer, eventually } from '../../tests/doubles/child-server.ts'
import { startServerOn } from '../../tests/doubles/killed-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'

let made: MadeContext
let system: System
let simulator: Mt5Simulator
let servers: [ChildServer, ChildServer]
const manager = { login: '1000', password: 'Manager-2026' }
const logins = ['700501', '700502', '700503']

before(async () => {
  made = await makeTestContext({ startAt: new Date() }) // Both processes use the real time.
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  simulator = await startMt5Simulator({
    port: 0,
    stateFile: ':memory:',
    managers: [manager],
    timeZone: 'Europe/Athens',
    movingPrices: false,
  })
  for (const login of logins)
    simulator.control.seedAccounts([
      { login, group: 'real\\standard-usd', name: 'Mara Member', leverage: 100, balance: '1000.00' },
    ])
  const start = () => startServerOn(made, { roles: 'web' })
  servers = [await start(), await start()]
})
after(async () => {
  for (const server of servers) await server.stop()
  await made.close()
  await simulator.stop()
})

type Watcher = { balances: string[]; request: ClientRequest }

function watch(server: ChildServer, token: string): Watcher {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const balances: string[] = []
  let rest = ''
  const request = get(server.url + watchAccountMetrics.path, { headers }, (answer) => {
    answer.setEncoding('utf8').on('data', (text: string) => {
      const events = (rest + text).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = /^event: figures\ndata: (.*)$/.exec(event)?.[1]
        if (!data) continue
        for (const { balance } of accountMetricsEvent.parse(JSON.parse(data)).accounts) balances.push(balance ?? '')
      }
    })
    answer.on('error', () => undefined)
  })
  request.on('error', () => undefined) // A killed server resets the connection.
  return { balances, request }
}

/** Number of times the platform was asked for the metrics of this account. */
const readsOf = (login: string): number =>
  simulator.control.calls().filter(({ path, query }) => path === '/api/user/account/get_batch' && query.includes(login))
    .length

async function addWatched(login: string): Promise<string> {
  const settings = { baseUrl: simulator.url, managerLogin: manager.login, timeZone: 'Europe/Athens' }
  platformId ??= await addPlatform(system, {
    connection: { settings: { ...settings, allowPlainHttp: true }, secret: { managerPassword: manager.password } },
  })
  const { memberId } = await addMember(system)
  await addAccount(system, { memberId, platformId, platform_login: login })
  return (await openTestSession(system, { kind: 'member', id: memberId })).token
}
let platformId: string | undefined

const book = (amount: string): void => {
  for (const login of logins) simulator.control.addLedger(login, { amount, comment: 'Moves', atMs: Date.now() })
}

test('reads each account once a second between them, and goes on in one when the other is killed', async () => {
  const [here, there] = servers
  const [both, first, second] = [await addWatched('700501'), await addWatched('700502'), await addWatched('700503')]
  const watchers = { here: watch(here, both), there: watch(there, both), first: watch(here, first) }
  const left = { there: watchers.there, second: watch(there, second) }
  const all = [...Object.values(watchers), left.second]
  await eventually('every watcher has the first balance', async () =>
    all.every(({ balances }) => balances.at(-1) === '1000.00'),
  )

  const [started, reads] = [performance.now(), Object.fromEntries(logins.map((login) => [login, readsOf(login)]))]
  await eventually('ten readings', async () => logins.every((login) => readsOf(login) - (reads[login] ?? 0) >= 10))
  const seconds = (performance.now() - started) / 1_000
  for (const login of logins) {
    const asked = readsOf(login) - (reads[login] ?? 0)
    // Allows for one call under way at the beginning and one at the end.
    assert.ok(asked <= seconds / 0.9 + 2, `${asked} readings of ${login} in ${seconds.toFixed(1)} s`)
  }
  book('5.00')
  await eventually('every watcher has the new balance', async () =>
    all.every(({ balances }) => balances.at(-1) === '1005.00'),
  )

  await here.stop()
  book('7.00')
  await eventually('the watchers of the other process have the next balance', async () =>
    Object.values(left).every(({ balances }) => balances.at(-1) === '1012.00'),
  )
  for (const { request } of all) request.destroy()
})
