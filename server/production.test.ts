// spec: OP faults, OP operation

/** Checks with the running program that production has no development, demo or test feature. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { colleagues, signIns } from '../demo/harbour-markets.ts'
import { type ChildServer, eventually, startChildServer } from '../tests/doubles/child-server.ts'
import { productionMode } from '../tests/fixtures/context.ts'
import { ensureIdentityVendor } from '../tests/fixtures/identity/identity-vendors.ts'
import { addProvider } from '../tests/fixtures/payments/payment-providers.ts'
import { addPlatform } from '../tests/fixtures/trading/platforms.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  readIntents,
  type TradingFixture,
} from '../tests/fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../tests/fixtures/workspaces.ts'
import { commands } from './admin/commands.ts'
import { readConfig } from './config.ts'
import type { System } from './foundation/actor.ts'
import { inTransaction } from './foundation/database/database.ts'
import { failpoints, openingFailpoints } from './foundation/failpoint.ts'
import { refuseDemoPeople } from './workspaces/demo-people.ts'
import { refuseSimulators } from './workspaces/simulators.ts'

let setup: TradingFixture
let server: ChildServer
let tokens: { member: string; staff: string }

before(async () => {
  // This machine's network is allowed, so that only one rule stops calls to simulators on it.
  const environment = { ...productionMode, PLATFORM_NETWORKS: '127.0.0.0/8,::1/128' }
  setup = await openTradingFixture({ environment })
  setup.context.clock.set(new Date()) // The program uses the real clock.
  tokens = {
    member: (await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })).token,
    staff: (await openTestSession(setup.system, { kind: 'staff', id: setup.staff.staffId })).token,
  }
  await switchPlatforms(false)
  server = await startChildServer({
    databaseUrl: setup.ownerUrl,
    dataDirectory: setup.folder,
    failpoint: 'approval.before-commit',
    environment,
  })
})
after(async () => {
  await server.stop()
  await setup.close()
})

type Asked = { token?: string; body?: object; accept?: string }

async function ask(path: string, { token, body, accept }: Asked = {}) {
  const answer = await fetch(server.url + path, {
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(accept && { accept }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

async function isAbsent(path: string, asked: Asked = {}): Promise<void> {
  const { status, text } = await ask(path, asked)
  assert.equal(status, 404, `${path}: ${text.slice(0, 200)}`)
  assert.equal(JSON.parse(text).code, 'not_found', path)
}

/** Starts a program with that environment, expects it to exit by itself, and returns its output. */
function refusesToStart(program: string, environment: Record<string, string>): Promise<string> {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const shared = { PATH, NODE_COMPILE_CACHE, ATRIUM_DATA: setup.folder, DATABASE_URL: setup.ownerUrl, PORT: '0' }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [path], { env: { ...shared, ...environment }, timeout: 60_000 }, (problem, out, err) => {
      if (problem && !problem.killed) resolve(out + err)
      else reject(new Error(`It started: ${out}${err}`))
    })
  })
}

const config = (environment: Record<string, string>) => () =>
  readConfig({ ...productionMode, ATRIUM_DATA: setup.folder, DATABASE_URL: setup.ownerUrl, ...environment })

const dist = fileURLToPath(new URL('../web/dist/', import.meta.url))

function lockEverybody(system: System): Promise<void> {
  return inTransaction(system, async (tx) => {
    for (const table of ['members', 'staff_users'] as const)
      await tx.updateTable(table).set({ status: 'locked' }).where('workspace_id', '=', system.workspaceId).execute()
  })
}

const switchPlatforms = (enabled: boolean): Promise<unknown> =>
  inTransaction(setup.system, (tx) =>
    tx.updateTable('trading_platforms').set({ enabled }).where('workspace_id', '=', setup.system.workspaceId).execute(),
  )

/** The eleven features, each with a way to detect it. */
const absent: [what: string, show: () => Promise<void>][] = [
  [
    'refuses the demo: neither its program nor its setting starts',
    async () => {
      const unsaid = { ...productionMode, ATRIUM_DEMO: 'false' }
      assert.match(await refusesToStart('../demo/start.ts', unsaid), /not for production/)
      assert.throws(config({ ATRIUM_DEMO: 'true' }), /ATRIUM_DEMO/)
    },
  ],
  [
    'refuses a database with people of the demo',
    async () => {
      const elsewhere = await addWorkspace(setup.context)
      const { staff, ...members } = signIns
      await addStaff(elsewhere, { email: staff })
      for (const email of Object.values(members)) await addMember(elsewhere, { email })
      const active = colleagues.filter(({ status }) => status === 'active')
      for (const { email } of active) await addStaff(elsewhere, { email })
      await addMember(elsewhere, { email: 'renamed@brokerage.example' })
      const due = [...Object.values(signIns), ...active.map(({ email }) => email), 'renamed@brokerage.example']
      const said = await refusesToStart('./main.ts', productionMode)
      for (const email of due) assert.ok(said.includes(email), `${email}: ${said}`)
      const named = [...said.matchAll(/npm run admin -- (\w+ \w+)/g)].map(([, words]) => words)
      assert.deepEqual(named, ['member erase', 'staff lock'])
      for (const words of named) assert.ok(commands.some((command) => command.words === words))
      await lockEverybody(elsewhere)
      await refuseDemoPeople(setup.context)
    },
  ],
  [
    'omits the demo’s sign-ins on the sign-in page, and its logo',
    async () => {
      assert.equal(JSON.parse((await ask('/members/crm-settings')).text).settings.demo, false)
      for (const path of ['/login', '/desk/login', '/members/crm-settings'])
        assert.doesNotMatch((await ask(path)).text, /atrium\.demo|Harbour-2026/)
      await isAbsent('/brand/harbour-markets.svg')
    },
  ],
  [
    'omits the mailbox of developers and every other page under /dev',
    async () => {
      for (const path of ['/dev/mailbox', '/dev/mailbox/x', '/dev/', '/dev', '/dev/mail', '/dev/anything/else'])
        for (const accept of ['text/html', 'application/json']) await isAbsent(path, { accept })
    },
  ],
  [
    'neither serves nor calls simulators',
    async () => {
      for (const path of ['/api/auth/start', '/api/trade/balance', '/control', '/simulators/mt5']) {
        const { text } = await ask(path)
        assert.doesNotMatch(text, /retcode|MTAPI|srv_rand/i, path)
      }
      await switchPlatforms(true) // By hand, while the program runs.
      const id = await makePendingDeposit(setup)
      const approved = await ask(`/desk/api/deposits/${id}/approve`, { token: tokens.staff, body: {} })
      assert.equal(approved.status, 200, approved.text)
      await eventually('the credit fails as misconfigured', async () => {
        const [intent] = await readIntents(setup, id)
        return intent?.last_problem === 'misconfigured'
      })
      assert.equal(setup.simulator.control.calls().length, 0)
    },
  ],
  [
    'refuses a database that names simulators, and lists those to switch off',
    async () => {
      const elsewhere = await addWorkspace(setup.context, { subdomain: 'pretending' })
      await switchPlatforms(false)
      await addProvider(elsewhere, 'zotapay', { baseUrl: 'http://localhost:4500' })
      await ensureIdentityVendor(elsewhere)
      await addPlatform(elsewhere, {
        name: 'Play',
        connection: { settings: { allowPlainHttp: true, baseUrl: 'http://localhost:4600' }, secret: {} },
      })
      const said = await refusesToStart('./main.ts', productionMode)
      assert.match(
        said,
        /Play of pretending, sumsub of pretending, zotapay of pretending\. Switch each off at the desk/,
      )
      await inTransaction(elsewhere, async (tx) => {
        for (const table of ['trading_platforms', 'payment_providers', 'identity_vendors'] as const)
          await tx
            .updateTable(table)
            .set({ enabled: false })
            .where('workspace_id', '=', elsewhere.workspaceId)
            .execute()
      })
      await refuseSimulators(setup.context)
      await switchPlatforms(true)
    },
  ],
  [
    'omits source maps',
    async () => {
      const built = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : []
      assert.deepEqual(
        built.filter((name) => name.endsWith('.map')),
        [],
      )
      for (const name of built.filter((each) => /\.(js|css|html)$/.test(each)))
        assert.doesNotMatch(readFileSync(join(dist, name), 'utf8'), /sourceMappingURL/, name)
      for (const name of built.filter((each) => each.endsWith('.js'))) await isAbsent(`/${name}.map`)
      assert.doesNotMatch((await ask('/.vite/manifest.json')).text, /isEntry/)
    },
  ],
  [
    'hides the schema: no introspection and no suggestions',
    async () => {
      for (const query of [
        '{ __schema { types { name } } }',
        '{ __type(name: "Query") { name } }',
        '{ current_membr }',
      ]) {
        const { text } = await ask('/graph', { token: tokens.member, body: { query } })
        assert.ok(JSON.parse(text).errors, text)
        assert.doesNotMatch(text, /Did you mean|current_member|"types"|"Query"/, query)
      }
    },
  ],
  [
    'refuses a publicly known key',
    async () => {
      const { ATRIUM_SECRET_KEY: _, ...keyless } = productionMode
      assert.match(
        await refusesToStart('./main.ts', keyless),
        /^The configuration is not valid:\n {2}ATRIUM_SECRET_KEY: must be set in production/,
      )
      for (const weak of ['short', 'x'.repeat(64), 'change-me-'.repeat(5), '0123'.repeat(10)])
        assert.throws(config({ ATRIUM_SECRET_KEY: weak }), /ATRIUM_SECRET_KEY/, weak)
      assert.ok(!existsSync(join(setup.folder, 'secret.key')), 'none is generated in its place')
    },
  ],
  [
    'requires TLS in links, cookies and HSTS',
    async () => {
      assert.throws(config({ PUBLIC_URL: 'http://portal.example.com' }), /https/)
      const { email, password } = setup.signIn
      const { status, headers, text } = await ask('/members/login', { body: { email, password } })
      assert.equal(status, 200, text)
      assert.ok(headers.getSetCookie().length >= 2)
      for (const cookie of headers.getSetCookie())
        assert.match(cookie, /^__(Host|Secure)-.*HttpOnly.*Secure.*SameSite=Strict/i)
      assert.match(headers.get('strict-transport-security') ?? '', /max-age=\d{8}/)
    },
  ],
  [
    'ignores test settings: a configured failpoint has no effect',
    async () => {
      for (const failpoint of [...failpoints, ...openingFailpoints])
        assert.equal(config({ ATRIUM_FAILPOINT: failpoint })().failpoint, null)
      const id = await makePendingDeposit(setup)
      const approved = await ask(`/desk/api/deposits/${id}/approve`, { token: tokens.staff, body: {} })
      assert.equal(approved.status, 200, approved.text)
      assert.equal((await ask('/healthz')).status, 200)
    },
  ],
]

describe('production excludes', () => {
  assert.equal(absent.length, 11)
  for (const [what, show] of absent) it(what, show)
})
