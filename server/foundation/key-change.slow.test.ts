// spec: OP operation

/**
 * Changes the key as the documentation describes, one process at a time. At each step both processes open what either
 * has sealed, now and before: authenticator apps, the secret of a platform, links in mails.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ChildServer, startChildServer } from '../../tests/doubles/child-server.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import { retryWhileBusy } from '../../tests/fixtures/caller.ts'
import { commandLine } from '../../tests/fixtures/command-line.ts'
import { enrolTotp, enterFactor, enterPassword, type Phone } from '../../tests/fixtures/second-factors.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, openTestSession, testPassword } from '../../tests/fixtures/workspaces.ts'
import { writeEndToken } from '../notifications/notification-preferences.ts'
import { systemClock } from './clock.ts'

let setup: TradingFixture
let servers: [ChildServer, ChildServer]
let staffToken: string
let keys: { old: string; fresh: string }
const { adminWith } = commandLine(() => ({ databaseUrl: setup.ownerUrl, folder: setup.folder }))

before(async () => {
  setup = await openTradingFixture({ startAt: new Date() }) // Both processes use the real time.
  keys = { old: setup.context.config.secretKey, fresh: 'the-key-of-tomorrow-0123456789-abcdefgh' }
  const { staffId } = await addStaff(setup.system, { role: 'administrator' })
  staffToken = (await openTestSession(setup.system, { kind: 'staff', id: staffId })).token
  servers = [await start([keys.old]), await start([keys.old])]
})
after(async () => {
  for (const server of servers ?? []) await server.stop()
  await setup.close()
})

const settingsOf = ([key = '', ...others]: string[]) => ({
  ATRIUM_SECRET_KEY: key,
  ...(others.length > 0 && { ATRIUM_SECRET_KEYS_OTHER: others.join(',') }),
})

const start = (given: string[]): Promise<ChildServer> =>
  startChildServer({
    databaseUrl: setup.ownerUrl,
    dataDirectory: setup.folder,
    roles: 'web',
    environment: { ...settingsOf(given), CALLS_PER_MINUTE: '0' },
  })

function callerAt({ url }: ChildServer): Pick<Caller, 'post'> {
  const once = async (path: string, body: unknown, token?: string): Promise<Answered> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const raw = await answer.text()
    return { status: answer.status, body: JSON.parse(raw || '{}'), headers: Object.fromEntries(answer.headers), raw }
  }
  return { post: (path, body = {}, token) => retryWhileBusy(() => once(path, body, token)) }
}

type Person = { email: string; phone: Phone; memberId: string }

/** That process seals the person's secret. */
async function enrolAt(server: ChildServer): Promise<Person> {
  const { memberId, email } = await addMember(setup.system)
  const { token } = await openTestSession(setup.system, { kind: 'member', id: memberId })
  const phone = await enrolTotp(callerAt(server), { ...setup.context, clock: systemClock }, token)
  return { email, phone, memberId }
}

async function signInAt(server: ChildServer, { email, phone }: Person): Promise<void> {
  const { challenge } = await enterPassword(callerAt(server), { email, password: testPassword })
  // Each code is valid once, and one of them was used for enrolment.
  const answer = await enterFactor(callerAt(server), challenge, { code: phone.code(30_000) })
  assert.equal(answer.status, 200, answer.raw)
}

async function reachesPlatform(server: ChildServer): Promise<void> {
  const { status, body, raw } = await callerAt(server).post(
    `/desk/api/platforms/${setup.platformId}/try`,
    {},
    staffToken,
  )
  assert.deepEqual([status, body.authenticated], [200, true], raw)
}

const endMails = async (server: ChildServer, token: string): Promise<number> =>
  (await callerAt(server).post('/members/notices/end-mails', { token })).status

let waiting: Person[] = []

/** A person enrolled at one process signs in at the other, in this step and the next. */
async function allGoesOn(link: string): Promise<void> {
  const [here, there] = servers
  for (const [index, person] of waiting.entries()) await signInAt(servers[index] ?? here, person)
  await signInAt(there, await enrolAt(here))
  await signInAt(here, await enrolAt(there))
  waiting = [await enrolAt(there), await enrolAt(here)]
  for (const server of servers) {
    await reachesPlatform(server)
    assert.equal(await endMails(server, link), 200)
  }
}

async function restartEach(given: string[], between: () => Promise<void>): Promise<void> {
  for (const index of [0, 1] as const) {
    assert.equal(await servers[index].end(), 0)
    servers[index] = await start(given)
    await between()
  }
}

const signInsAtPlatform = () => setup.simulator.control.calls().filter(({ path }) => path === '/api/auth/start').length

test('sign-ins and sealed secrets work in both processes at every step', async () => {
  const { old, fresh } = keys
  const sent = writeEndToken(setup.system, await addMember(setup.system), 'support')
  const goesOn = () => allGoesOn(sent)
  await goesOn()
  await restartEach([old, fresh], goesOn)
  await restartEach([fresh, old], goesOn)

  const before = signInsAtPlatform()
  assert.ok(before > 0)
  const resealed = await adminWith(settingsOf([fresh, old]), 'secrets', 'reseal', '--json')
  assert.equal(resealed.code, 0, resealed.out)
  await goesOn()
  assert.equal(signInsAtPlatform(), before, 'no connection was cut')

  const left = waiting
  await restartEach([fresh], async () => undefined)
  for (const [index, person] of left.entries()) await signInAt(servers[index] ?? servers[0], person)
  for (const server of servers) {
    await reachesPlatform(server)
    // The documentation keeps the old key longer for this reason.
    assert.equal(await endMails(server, sent), 404)
  }
})
