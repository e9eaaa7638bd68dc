/**
 * A call without a session does the same work for every email: the same statements in order, as many password checks,
 * and an identical answer. Timing then reveals nothing (measured by `npm run bench -- sign-in-timing`).
 */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type Answered, type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { statementsOf } from '../../../tests/fixtures/database/rows-read.ts'
import { countEvaluations } from '../../../tests/fixtures/evaluations.ts'
import { answerResetRequests, linksIn, mailsTo } from '../../../tests/fixtures/mailbox.ts'
import { type App, enrolTotp, signInPath } from '../../../tests/fixtures/second-factors.ts'
import { addMember, addStaff, addWorkspace, openTestSession, testPassword } from '../../../tests/fixtures/workspaces.ts'
import { buildApp } from '../../app.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller

before(async () => {
  made = await makeTestContext()
  made.context.database.pool.on('acquire', (client) => void connections.add(client))
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
})
after(async () => {
  await app.close()
  await made.close()
})
beforeEach(() => made.context.clock.advance(24 * 3_600_000))

const apps: App[] = ['portal', 'desk']
const whos = ['active', 'with a second factor', 'locked', 'invited', 'of another brokerage'] as const
type Who = (typeof whos)[number] | 'unknown'

let counted = 0
const nextEmail = () => `person-${String(++counted).padStart(6, '0')}@harbour.test`

async function emailOf(who: Who, at: App): Promise<string> {
  const email = nextEmail()
  if (who === 'unknown') return email
  const home = who === 'of another brokerage' ? await addWorkspace(made.context) : system
  const status = who === 'locked' || who === 'invited' ? who : 'active'
  if (at === 'portal') await addMember(home, { email, status })
  else await addStaff(home, { email, status })
  if (who === 'with a second factor') await enrolTotp(caller, made.context, await signInNow(email, at), at)
  return email
}

const signInNow = (email: string, at: App) => caller.signIn({ email, password: testPassword }, at)

async function deviceCookieOf(email: string, at: App): Promise<string> {
  const answer = await caller.post(signInPath(at), { email, password: testPassword })
  return /atrium_device=[\w-]{43}/.exec(String(answer.headers['set-cookie']))?.[0] ?? ''
}

/** An answer without date and request id, which always differ. */
function saidBy({ status, headers, raw }: Answered): string {
  const { date: _, 'x-request-id': __, ...stored } = headers
  return `${status} ${JSON.stringify(stored)} ${raw.replace(/"request_id":"[^"]*"/, '')}`
}

type Work = { answers: string[]; statements: string[]; passwordsChecked: number }

/** Excludes the queue's own connections. */
const connections = new WeakSet<object>()
/** Resolves a host's brokerage, cached across calls. */
const isNobodys = (text: string) => text.includes('find_workspace')
/** Measures how busy the database is, before each password check; a slow answer is confirmed by another one. */
const isProbe = (text = '') => text === 'select 1'
/** Without the scope of each probe, too, which is sent right before it. */
const withoutProbes = (texts: string[]) => texts.filter((text, at) => !isProbe(text) && !isProbe(texts[at + 1]))

async function workOf(ask: () => Promise<Answered[]>): Promise<Work> {
  let passwordsChecked = 0
  const stop = countEvaluations(() => {
    passwordsChecked += 1
  })
  let answers: Answered[] = []
  const statements = await statementsOf(async () => {
    answers = await ask()
  }, connections).finally(stop)
  return {
    answers: answers.map(saidBy),
    statements: withoutProbes(statements.map(({ text }) => text)).filter((text) => !isNobodys(text)),
    passwordsChecked,
  }
}

type Sent = { url: string; payload: object; headers?: Record<string, string>; from?: string }
const send = ({ url, payload, headers = {}, from = '198.51.100.1' }: Sent) =>
  caller.send({ method: 'POST', url, payload, headers, remoteAddress: from })

/** The headers with which a caller may sign in. */
async function waysTo(at: App): Promise<Record<string, Record<string, string>>> {
  const other = await emailOf('active', at)
  const { token } =
    at === 'portal'
      ? await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
      : await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })
  return {
    'with nothing': {},
    'with an invented browser key': { cookie: `atrium_device=${'x'.repeat(43)}` },
    'with a malformed browser key': { cookie: 'atrium_device=x' },
    "with another person's browser key": { cookie: await deviceCookieOf(other, at) },
    'with an invented file cookie': { cookie: `atrium_files=${'x'.repeat(43)}` },
    "with another person's session": { authorization: `Bearer ${token}` },
    'with an invented session': { authorization: `Bearer ${'x'.repeat(43)}` },
  }
}

/** Compares the work for an unknown email with that for each kind of person. */
async function assertEqual(at: App, what: string, workFor: (email: string) => Promise<Work>): Promise<Work> {
  const unknown = await workFor(await emailOf('unknown', at))
  for (const who of whos) assert.deepEqual(await workFor(await emailOf(who, at)), unknown, `${what}, ${who}`)
  return unknown
}

for (const at of apps) {
  describe(`${at}: equal work for every email`, () => {
    test('costs the same with a wrong password and any headers', async () => {
      for (const [way, headers] of Object.entries(await waysTo(at))) {
        const payload = (email: string) => ({ email, password: 'Wrong-2026' })
        const { answers, passwordsChecked } = await assertEqual(at, way, (email) =>
          workOf(async () => [await send({ url: signInPath(at), payload: payload(email), headers })]),
        )
        assert.deepEqual([answers[0]?.slice(0, 3), passwordsChecked], ['401', 1])
        made.context.clock.advance(24 * 3_600_000)
      }
    })

    test('costs the same with a right password that may not sign in', async () => {
      const tryAt = (email: string) =>
        workOf(async () => [await send({ url: signInPath(at), payload: { email, password: testPassword } })])
      const unknown = await tryAt(await emailOf('unknown', at))
      assert.ok(unknown.statements.some((text) => text.includes('rate_limits'))) // Proves that statements are recorded.
      for (const who of ['locked', 'invited', 'of another brokerage'] as const)
        assert.deepEqual(await tryAt(await emailOf(who, at)), unknown, who)
    })

    test('costs the same beyond the limit, which is checked before the person is looked up', async () => {
      const ways = await waysTo(at)
      const used = await assertEqual(at, 'used up', async (email) => {
        made.context.clock.advance(24 * 3_600_000)
        const payload = { email, password: 'Wrong-2026' }
        for (let count = 0; count < 8; count++) await send({ url: signInPath(at), payload })
        return workOf(async () => {
          const answers: Answered[] = []
          for (const headers of Object.values(ways)) answers.push(await send({ url: signInPath(at), payload, headers }))
          return answers
        })
      })
      assert.ok(used.answers.every((answer) => answer.startsWith('429')))
      assert.equal(used.passwordsChecked, 0)
      assert.deepEqual(
        used.statements.filter((text) =>
          /where.*"(members|staff_users)"."email"|^select "(member|staff)_id"/.test(text),
        ),
        [],
      )
    })

    test('runs no statement once the limit is known to be exceeded', async () => {
      const payload = { email: nextEmail(), password: 'Wrong-2026' }
      for (let count = 0; count < 9; count++) await send({ url: signInPath(at), payload })
      const { answers, statements } = await workOf(async () => [await send({ url: signInPath(at), payload })])
      assert.deepEqual([answers[0]?.slice(0, 3), statements], ['429', []])
    })

    test('costs the same for a known browser and the same browser with an unknown email', async () => {
      const email = await emailOf('active', at)
      const headers = { cookie: await deviceCookieOf(email, at) }
      const tryAt = (tried: string) =>
        workOf(async () => [
          await send({ url: signInPath(at), payload: { email: tried, password: 'Wrong-2026' }, headers }),
        ])
      assert.deepEqual(await tryAt(email), await tryAt(nextEmail()))
    })

    test('costs the same for a reset request, within and beyond its limit', async () => {
      const url = at === 'portal' ? '/members/reset-password/request' : '/desk/api/reset-password/request'
      const { answers } = await assertEqual(at, 'reset', async (email) => {
        made.context.clock.advance(24 * 3_600_000)
        return workOf(async () => {
          const answers: Answered[] = []
          for (let count = 0; count < 5; count++) answers.push(await send({ url, payload: { email } }))
          return answers
        })
      })
      assert.deepEqual(
        answers.map((answer) => answer.slice(0, 3)),
        ['200', '200', '200', '429', '429'],
      )
    })
  })
}

test('a reset code that is used, expired, of a locked member or unknown costs the same', async () => {
  const root = '/members/reset-password'
  const codeOf = async (email: string) => {
    await caller.post(`${root}/request`, { email })
    await answerResetRequests(system)
    return (
      linksIn((await mailsTo(system, email)).at(-1)?.text ?? '')[0]
        ?.split('/')
        .at(-1) ?? ''
    )
  }
  const tooOld = await codeOf((await addMember(system)).email)
  made.context.clock.advance(24 * 3_600_000)
  const used = await codeOf((await addMember(system)).email)
  const password = 'Tidal-Gauge-71'
  const set = { code: used, password, password_confirmation: password }
  assert.equal((await caller.post(`${root}/process`, set)).status, 200)
  const locked = await addMember(system)
  const ofLocked = await codeOf(locked.email)
  await inTransaction(system, (tx) =>
    tx
      .updateTable('members')
      .set({ status: 'locked' })
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', locked.memberId)
      .execute(),
  )
  for (const call of ['check-code', 'process']) {
    const tryWith = (code: string) =>
      workOf(async () => [await send({ url: `${root}/${call}`, payload: { ...set, code } })])
    const unknown = await tryWith('x'.repeat(43))
    for (const code of [used, tooOld, ofLocked]) assert.deepEqual(await tryWith(code), unknown, call)
  }
})
