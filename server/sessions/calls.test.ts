// spec: MP 5, MP 6, MP 7, MP 9, AO 7, AO 9
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf, retryWhileBusy } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  type MadeMember,
  openTestSession,
  testPassword,
} from '../../tests/fixtures/workspaces.ts'
import { addMember as addByCommand } from '../admin/administration.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'

let made: MadeContext
let close: () => Promise<void>
let app: FastifyInstance
let caller: Caller
let system: System
let member: MadeMember

before(async () => {
  ;({ made, app, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  member = await addMember(system)
})
after(() => close())
/** Fifteen minutes later: rate limits of earlier tests have expired, sessions have not. */
beforeEach(() => made.context.clock.advance(15 * 60_000 + 1))

const wrong = { status: 401, error: sessionTexts.loginWrong, code: 'sign_in_failed' }
const shapeOf = (answer: { status: number; body: Record<string, unknown> }) => {
  return { status: answer.status, error: answer.body.error, code: answer.body.code }
}

describe('sign-in', () => {
  test('returns user and token, and sets a cookie valid for files only', async () => {
    const answer = await caller.post('/members/login', { email: member.email.toUpperCase(), password: member.password })
    assert.equal(answer.status, 200)
    assert.equal((answer.body.user as { _id: string })._id, member.memberId)
    assert.ok(Buffer.from(String(answer.body.token), 'base64url').length >= 32)
    const [cookie = ''] = answer.headers['set-cookie'] as string[]
    assert.match(cookie, /^atrium_files=[\w-]{43}; Path=\/cp; HttpOnly; SameSite=Strict$/)
    const fileToken = /atrium_files=([\w-]+)/.exec(cookie)?.[1]
    assert.equal((await caller.get('/user/permissions', fileToken)).status, 401)
    assert.equal((await caller.send({ method: 'GET', url: '/user/permissions', headers: { cookie } })).status, 401)
  })

  test('wrong password, unknown email, locked member and staff in the portal get the same answer', async () => {
    const locked = await addMember(system, { status: 'locked' })
    const staff = await addStaff(system)
    const attempts = [
      { email: member.email, password: 'Wrong-2026' },
      { email: 'nobody@harbour.test', password: testPassword },
      { email: locked.email, password: testPassword },
      { email: staff.email, password: testPassword },
    ]
    for (const attempt of attempts) assert.deepEqual(shapeOf(await caller.post('/members/login', attempt)), wrong)
    const asMember = { email: member.email, password: member.password }
    assert.deepEqual(shapeOf(await caller.post('/desk/api/login', asMember)), wrong)
  })

  test('reports missing and overlong fields with the text of the form', async () => {
    for (const body of [{}, { email: '', password: '' }, { email: member.email }, { password: 'x' }]) {
      const answer = await caller.post('/members/login', body)
      assert.equal(answer.status, 422)
      assert.equal(answer.body.error, texts.loginMissing)
    }
    const long = await caller.post('/members/login', { email: `${'a'.repeat(45)}@b.test`, password: 'x'.repeat(129) })
    assert.deepEqual(Object.keys(long.body.errors as object).sort(), ['email', 'password'])
    for (const email of [member.email, 'nobody@harbour.test']) {
      const answer = await caller.post('/members/login', { email, password: 'x'.repeat(21) })
      assert.deepEqual([answer.status, answer.body.errors], [422, { password: ['Use at most 20 characters.'] }])
    }
  })

  test('accepts both spellings of an email domain and every character of a mailbox name', async () => {
    for (const email of ['anna@bücher.example', 'r&d@example.com', 'a/b@example.com', 'first=last@example.com']) {
      const names = { first_name: 'Anna', last_name: 'Buch' }
      const password = await addByCommand(system, { ...names, email: ` ${email}\u200b` })
      const again = { ...names, email: email.replace('bücher', 'xn--bcher-kva').toUpperCase() }
      await assert.rejects(addByCommand(system, again), /already/)
      for (const spelling of [email, again.email]) {
        const answer = await caller.post('/members/login', { email: spelling, password })
        assert.deepEqual([answer.status, (answer.body.user as { email: string }).email], [200, email], spelling)
      }
      assert.equal((await caller.post('/members/reset-password/request', { email })).status, 200)
    }
    const long = { first_name: 'A', last_name: 'B', email: `${'a'.repeat(39)}@example.com` }
    await assert.rejects(addByCommand(system, long), /Use at most 50 characters/)
  })

  test('refuses the eleventh wrong attempt from any network with retry-after, then accepts the right password', async () => {
    const target = await addMember(system)
    for (let count = 0; count < 10; count++) {
      const remoteAddress = count < 5 ? '127.0.0.1' : '192.0.2.7'
      const payload = { email: target.email, password: `wrong-${count}` }
      const answer = await caller.send({ method: 'POST', url: '/members/login', payload, remoteAddress })
      assert.equal(answer.status, 401)
    }
    for (const spoofed of ['10.0.0.1', '10.0.0.2']) {
      const answer = await caller.send({
        method: 'POST',
        url: '/members/login',
        payload: { email: target.email, password: target.password },
        headers: { 'x-forwarded-for': spoofed, forwarded: `for=${spoofed}` },
      })
      assert.equal(answer.status, 429)
      assert.equal(answer.body.code, 'too_many_requests')
      const seconds = Number(answer.headers['retry-after'])
      assert.ok(seconds > 0 && seconds <= 15 * 60)
    }
    made.context.clock.advance(15 * 60_000)
    await caller.signIn(target)
  })

  test('refuses the ninth attempt from one network, so that other networks have attempts left', async () => {
    const target = await addMember(system)
    const statuses: number[] = []
    for (let count = 0; count < 9; count++) {
      statuses.push((await caller.post('/members/login', { email: target.email, password: `wrong-${count}` })).status)
    }
    assert.deepEqual(statuses, [...Array(8).fill(401), 429])
    const elsewhere = { method: 'POST', url: '/members/login', payload: target, remoteAddress: '192.0.2.7' } as const
    assert.equal((await caller.send(elsewhere)).status, 200)
  })

  test('evaluates at most ten of a hundred concurrent wrong attempts', async () => {
    const target = await addMember(system)
    const attempts = Array.from({ length: 100 }, () =>
      retryWhileBusy(() => caller.post('/members/login', { email: target.email, password: 'nope' })),
    )
    const answers = await Promise.all(attempts)
    assert.ok(answers.filter((answer) => answer.status === 401).length <= 10)
    assert.ok(answers.every((answer) => [401, 429].includes(answer.status)))
  })

  test('refuses one password over many accounts from one address after thirty attempts', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 35; count++) {
      const answer = await caller.post('/members/login', {
        email: `spray-${count}@harbour.test`,
        password: 'Summer-2026',
      })
      statuses.push(answer.status)
    }
    assert.deepEqual(statuses.slice(0, 30), Array(30).fill(401))
    assert.deepEqual(statuses.slice(30), Array(5).fill(429))
  })

  test('accepts five concurrent right sign-ins without counting them as guesses', async () => {
    const target = await addMember(system)
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 5 }, () => caller.signIn(target)))
    }
  })
})

describe('a session', () => {
  test('ends on logout, with the file cookie', async () => {
    const token = await caller.signIn(member)
    assert.equal((await caller.get('/user/permissions', token)).status, 200)
    assert.equal((await caller.post('/users/logout', {}, token)).status, 200)
    assert.equal((await caller.get('/user/permissions', token)).status, 401)
  })

  test('leaves the file cookie of a member who signed in later in the same browser', async () => {
    const token = await caller.signIn(member)
    const later = await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
    const own = await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
    const signOut = (bearer: string, fileToken: string) =>
      caller.send({
        ...{ method: 'POST', url: '/users/logout', payload: {} },
        headers: { authorization: `Bearer ${bearer}`, cookie: `atrium_files=${fileToken}` },
      })
    assert.match(String((await signOut(token, later.fileToken)).headers['set-cookie']), /^atrium_files_[0-9a-f]{16}=;/)
    assert.match(String((await signOut(own.token, own.fileToken)).headers['set-cookie']), /^atrium_files=;/)
  })

  test('keeps the file cookies of a few people beside its own, and ends those of the earliest', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `atrium_files_${`${index}`.repeat(16)}`)
    const answer = await caller.send({
      ...{ method: 'POST', url: '/members/login', payload: { email: member.email, password: member.password } },
      headers: { cookie: names.map((name) => `${name}=${'x'.repeat(43)}`).join('; ') },
    })
    const set = answer.headers['set-cookie'] as string[]
    assert.match(`${set[1]}`, /^atrium_files_[0-9a-f]{16}=[\w-]{43}; Path=\/cp; HttpOnly; SameSite=Strict$/)
    const cleared = set.filter((cookie) => /=;/.test(cookie)).map((cookie) => cookie.split('=')[0])
    assert.deepEqual(cleared, names.slice(0, 2))
  })

  test('keeps its file cookie when it could not be ended', async () => {
    const token = await caller.signIn(member)
    const owner = await made.openOwner()
    await owner.query('begin')
    await owner.query('lock table audit_log')
    const failed = await caller.post('/users/logout', {}, token)
    await owner.query('rollback')
    assert.deepEqual([failed.status >= 500, failed.headers['set-cookie']], [true, undefined])
    const done = await caller.post('/users/logout', {}, token)
    assert.match(String(done.headers['set-cookie']), /^atrium_files=;/)
  })

  test('ends after idle time, which activity extends and polling does not', async () => {
    const idle = await caller.signIn(member)
    const active = await caller.signIn(member)
    for (let minute = 0; minute < 29; minute += 7) {
      made.context.clock.advance(7 * 60_000)
      await caller.get('/user/permissions', idle)
      await caller.post('/members/activity', { mouse: true }, active)
    }
    assert.equal((await caller.get('/user/permissions', idle)).status, 401)
    assert.equal((await caller.get('/user/permissions', active)).status, 200)
  })

  test('ends at its maximum age despite activity', async () => {
    const token = await caller.signIn(member)
    for (let passed = 0; passed < 12 * 60; passed += 20) {
      await caller.post('/members/activity', {}, token)
      made.context.clock.advance(20 * 60_000)
    }
    assert.equal((await caller.get('/user/permissions', token)).status, 401)
  })

  test('ends when the member is locked', async () => {
    const target = await addMember(system)
    const token = await caller.signIn(target)
    await inTransaction(system, (tx) =>
      tx
        .updateTable('members')
        .set({ status: 'locked' })
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', target.memberId)
        .execute(),
    )
    assert.equal((await caller.get('/user/permissions', token)).status, 401)
  })

  test('is valid in its own workspace only; forged and truncated tokens are refused', async () => {
    await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const token = await caller.signIn(member)
    assert.equal((await callerOf(app, 'elsewhere.localhost').get('/user/permissions', token)).status, 401)
    assert.equal((await callerOf(app, 'harbour.localhost').get('/user/permissions', token)).status, 200)
    assert.equal((await callerOf(app, 'nobody.localhost').get('/user/permissions', token)).status, 404)
    for (const forged of [token.slice(0, -1), `${token}A`, token.toLowerCase(), '', 'x']) {
      assert.equal((await caller.get('/user/permissions', forged)).status, 401)
    }
  })

  test('is refused to a member at the desk, and to staff in the portal', async () => {
    const staff = await addStaff(system)
    const memberToken = await caller.signIn(member)
    const staffToken = await caller.signIn(staff, 'desk')
    assert.equal((await caller.get('/desk/api/deposits', memberToken)).status, 401)
    assert.equal((await caller.get('/user/permissions', staffToken)).status, 401)
    assert.equal((await caller.get('/desk/api/deposits', staffToken)).status, 200)
  })

  test('stores nothing in the database that could be used to sign in', async () => {
    const token = await caller.signIn(member)
    const stored = await made.context.database.pool.query(`select 1`)
    assert.equal(stored.rowCount, 1)
    const dump = await inTransaction(system, (tx) =>
      tx.selectFrom('sessions').selectAll().where('workspace_id', '=', system.workspaceId).execute(),
    )
    assert.ok(dump.length > 0)
    assert.ok(!JSON.stringify(dump).includes(token))
  })
})
