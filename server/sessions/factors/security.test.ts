// spec: OP factors
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../../tests/fixtures/app-fixture.ts'
import { makeAuthenticator } from '../../../tests/fixtures/authenticator.ts'
import { type Answered, type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../../tests/fixtures/context.ts'
import { mailsTo } from '../../../tests/fixtures/mailbox.ts'
import { here } from '../../../tests/fixtures/on-this-machine.ts'
import {
  type App,
  addSomebody,
  enrolPasskey,
  enrolTotp,
  enterFactor,
  enterPassword,
  securityPath,
  showSecurity,
} from '../../../tests/fixtures/second-factors.ts'
import { addMember, addStaff, addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'

const minute = 60_000

let made: MadeContext
let close: () => Promise<void>
let system: System
let strict: System
let app: FastifyInstance
let caller: Caller
let strictCaller: Caller
let origin: string

before(async () => {
  ;({ made, app, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  const settings = { second_factor_members: 'required', second_factor_staff: 'required' }
  strict = await addWorkspace(made.context, { subdomain: 'strict', settings })
  strictCaller = callerOf(app, 'strict.localhost')
  origin = `http://localhost:${made.context.config.port}`
})
after(() => close())
beforeEach(() => made.context.clock.advance(15 * minute + 1))

const somebody = (at: App = 'portal') => addSomebody(caller, system, at)
const show = (token: string, at: App = 'portal', by = caller) => showSecurity(by, token, at)

const subjectsTo = async (email: string, where = system) => (await mailsTo(where, email)).map(({ subject }) => subject)
const refusal = ({ status, body }: Answered) => [status, body.code]
const proofRequired = [403, 'proof_required']
const homeOf = { portal: '/user/permissions', desk: '/desk/api/me' } as const

for (const at of ['portal', 'desk'] as const) {
  const post = (call: string, body: object, token: string) => caller.post(securityPath(at, call), body, token)
  const isIn = async (token: string) => (await caller.get(homeOf[at], token)).status === 200

  describe(`second factors at the ${at}`, () => {
    test('an app counts once a code confirms it: creates recovery codes, mails, ends other sessions', async () => {
      const person = await somebody(at)
      const elsewhere = await caller.signIn(person, at)
      const started = await post('/totp/start', {}, person.token)
      const uri = new URL(String(started.body.uri))
      assert.equal(uri.searchParams.get('secret'), started.body.secret)
      assert.equal((await show(person.token, at)).totp, null)
      assert.equal((await post('/totp/confirm', { code: '000000' }, person.token)).status, 422)
      await caller.signIn(person, at) // Not required before it is confirmed.

      const { codes } = await enrolTotp(caller, made.context, person.token, at)
      assert.equal(new Set(codes).size, 10)
      const shown = await show(person.token, at)
      assert.ok(shown.totp)
      assert.deepEqual([shown.recovery_codes_left, shown.proof_methods], [10, ['code', 'recovery_code']])
      assert.ok(await isIn(person.token))
      assert.ok(!(await isIn(elsewhere)))
      assert.ok((await subjectsTo(person.email)).includes('A second factor was added'))
      assert.deepEqual(await auditOf(person.id), [
        'session.opened',
        'session.opened',
        'second-factor.started',
        'session.opened',
        'second-factor.started',
        'second-factor.added',
      ])
    })

    test('adds, renames and removes an own passkey, and refuses another person’s', async () => {
      const [person, other] = [await somebody(at), await somebody(at)]
      const { codes } = await enrolPasskey(caller, { token: person.token, origin, at })
      assert.equal(codes.length, 10)
      assert.deepEqual((await enrolPasskey(caller, { token: person.token, origin, at, name: 'Phone' })).codes, [])
      const [laptop] = (await show(person.token, at)).passkeys
      assert.deepEqual([laptop?.name, laptop?.last_used_at], ['Laptop', null])
      const _id = laptop?._id
      assert.equal((await post('/passkeys/rename', { _id, name: ' Work laptop ' }, person.token)).status, 200)
      assert.equal((await show(person.token, at)).passkeys[0]?.name, 'Work laptop')
      assert.equal((await post('/passkeys/rename', { _id, name: ' ' }, person.token)).status, 422)
      for (const call of ['rename', 'remove']) {
        const foreign = await post(`/passkeys/${call}`, { _id, name: 'Mine' }, other.token)
        const unknown = { _id: '0190a0b0-0000-7000-8000-000000000001', name: 'Mine' }
        const nobodys = await post(`/passkeys/${call}`, unknown, other.token)
        assert.equal(foreign.status, 404)
        assert.deepEqual({ ...foreign.body, request_id: '' }, { ...nobodys.body, request_id: '' })
      }
      assert.equal((await post('/passkeys/remove', { _id }, person.token)).status, 200)
      assert.equal((await post('/passkeys/remove', { _id }, person.token)).status, 404)
      assert.deepEqual(
        (await show(person.token, at)).passkeys.map(({ name }) => name),
        ['Phone'],
      )
      assert.ok((await subjectsTo(person.email)).includes('A second factor was removed'))
    })

    test('requires a fresh proof for every change', async () => {
      const person = await somebody(at)
      const phone = await enrolTotp(caller, made.context, person.token, at)
      const added = await enrolPasskey(caller, { token: person.token, origin, at })
      const _id = (await show(person.token, at)).passkeys[0]?._id
      made.context.clock.advance(15 * minute + 1)
      assert.equal((await show(person.token, at)).proven_until, null)
      const passkey = added.authenticator.register({ challenge: 'x', rp: { id: 'localhost' } })
      for (const [call, body] of [
        ['/totp/start', {}],
        ['/totp/confirm', { code: phone.code() }],
        ['/totp/remove', {}],
        ['/passkeys/start', {}],
        ['/passkeys/add', { name: 'X', passkey }],
        ['/passkeys/remove', { _id }],
        ['/recovery-codes/renew', {}],
      ] as const)
        assert.deepEqual(refusal(await post(call, body, person.token)), proofRequired, call)
      const proven = await post('/prove', { code: phone.code() }, person.token)
      assert.equal(proven.body.proven_until, made.context.clock.now().getTime() + 15 * minute)
      const renewed = await post('/recovery-codes/renew', {}, person.token)
      assert.equal((renewed.body.recovery_codes as string[]).length, 10)
      assert.equal((await post('/totp/remove', {}, person.token)).status, 200)
      assert.ok((await subjectsTo(person.email)).includes('You have new recovery codes'))
    })

    test('removing the last factor leaves password sign-in and no recovery codes', async () => {
      const person = await somebody(at)
      const { codes } = await enrolTotp(caller, made.context, person.token, at)
      const asked = await enterPassword(caller, person, at)
      assert.equal((await post('/totp/remove', {}, person.token)).status, 200)
      assert.equal((await enterFactor(caller, asked.challenge, { recovery_code: codes[0] }, at)).status, 422)
      await caller.signIn(person, at)
      assert.equal((await show(person.token, at)).recovery_codes_left, 0)
    })
  })
}

async function auditOf(actorId: string): Promise<string[]> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('action')
      .where('workspace_id', '=', system.workspaceId)
      .where('actor_id', '=', actorId)
      .orderBy('audit_id')
      .execute(),
  )
  return rows.map(({ action }) => action)
}

describe('an authenticator app', () => {
  test('needs proof to replace another, whose codes end', async () => {
    const person = await somebody()
    const old = await enrolTotp(caller, made.context, person.token)
    const anew = await enrolTotp(caller, made.context, person.token)
    assert.deepEqual(anew.codes, [])
    made.context.clock.advance(minute)
    const { challenge } = await enterPassword(caller, person)
    assert.equal((await enterFactor(caller, challenge, { code: old.code() })).status, 422)
    assert.equal((await enterFactor(caller, challenge, { code: anew.code() })).status, 200)
  })

  test('seals its secret, and hashes recovery codes', async () => {
    const { token } = await somebody()
    const { secret, codes } = await enrolTotp(caller, made.context, token)
    const rows = await reading(system, async (tx) => [
      ...(await tx.selectFrom('totp_factors').where(here).selectAll().execute()).map((row) =>
        row.sealed_secret.toString('latin1'),
      ),
      ...(await tx.selectFrom('recovery_codes').where(here).selectAll().execute()).map((row) =>
        row.code_hash.toString('latin1'),
      ),
      JSON.stringify(await tx.selectFrom('audit_log').where(here).selectAll().execute()),
    ])
    for (const hidden of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      assert.ok(rows.every((row) => !row.includes(hidden)))
  })

  test('uses the newest setup when started twice', async () => {
    const { token } = await somebody()
    const first = await caller.post(securityPath('portal', '/totp/start'), {}, token)
    await enrolTotp(caller, made.context, token)
    const answer = await caller.post(securityPath('portal', '/totp/confirm'), { code: '123456' }, token)
    assert.equal(answer.status, 422)
    assert.ok(first.body.secret)
  })
})

describe('a new passkey', () => {
  test('must answer the current challenge on the brokerage’s own site with user verification', async () => {
    const person = await somebody()
    const start = async () =>
      (await caller.post(securityPath('portal', '/passkeys/start'), {}, person.token)).body.passkey
    const add = (passkey: object) =>
      caller.post(securityPath('portal', '/passkeys/add'), { name: 'X', passkey }, person.token)
    const authenticator = makeAuthenticator(origin)
    for (const tampering of [
      { origin: 'http://elsewhere.localhost' },
      { rpId: 'evil.test' },
      { challenge: 'AAAA' },
      { isVerified: false },
    ]) {
      const answer = await add(authenticator.register(await start(), tampering))
      assert.deepEqual(
        [answer.status, answer.body.errors],
        [422, { passkey: [sessionTexts.passkeyWrong] }],
        JSON.stringify(tampering),
      )
    }
    const question = await start()
    made.context.clock.advance(5 * minute)
    assert.equal((await add(authenticator.register(question))).status, 422)
    const good = authenticator.register(await start())
    const both = await Promise.all([add(good), add(good)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422])
    const thief = await somebody()
    const theirs = await caller.post(securityPath('portal', '/passkeys/start'), {}, thief.token)
    const stolen = { name: 'X', passkey: authenticator.register(theirs.body.passkey) }
    assert.equal((await caller.post(securityPath('portal', '/passkeys/add'), stolen, thief.token)).status, 422)
  })

  test('is limited to ten a person', async () => {
    const { token } = await somebody()
    for (let count = 0; count < 10; count++) await enrolPasskey(caller, { token, origin, name: `Key ${count}` })
    assert.equal((await caller.post(securityPath('portal', '/passkeys/start'), {}, token)).status, 409)
  })
})

describe('a required second factor', () => {
  for (const at of ['portal', 'desk'] as const) {
    test(`limits a session without a factor to setting one up at the ${at}`, async () => {
      const person = at === 'portal' ? await addMember(strict) : await addStaff(strict)
      const answer = await strictCaller.post(at === 'portal' ? '/members/login' : '/desk/api/login', person)
      assert.deepEqual([answer.status, answer.body.must_enrol], [200, true])
      const token = String(answer.body.token)
      const closed =
        at === 'portal'
          ? ['/user/permissions', '/members/sessions', '/graph?q=e30']
          : ['/desk/api/me', '/desk/api/deposits']
      for (const path of closed)
        assert.deepEqual(refusal(await strictCaller.get(path, token)), [403, 'second_factor_required'], path)
      const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
      const url = '/cp/private/files/0190a0b0-0000-7000-8000-000000000001/receipt.pdf'
      assert.equal((await strictCaller.send({ method: 'GET', url, headers: { cookie } })).status, 403)
      assert.deepEqual([(await show(token, at, strictCaller)).must_enrol], [true])

      await enrolTotp(strictCaller, made.context, token, at)
      assert.equal((await strictCaller.get(homeOf[at], token)).status, 200)
      const last = await strictCaller.post(securityPath(at, '/totp/remove'), {}, token)
      assert.deepEqual([last.status, last.body.error], [409, sessionTexts.factorNeeded])
    })
  }

  test('leaves files readable by staff whose browser also has the cookie of a member without a factor', async () => {
    const ofMember = await strictCaller.post('/members/login', await addMember(strict))
    const ofStaff = await strictCaller.post('/desk/api/login', await addStaff(strict))
    await enrolTotp(strictCaller, made.context, String(ofStaff.body.token), 'desk')
    const cookies = [ofMember, ofStaff].map(({ headers }) => String(headers['set-cookie']).split(';')[0] ?? '')
    const url = '/cp/private/files/0190a0b0-0000-7000-8000-000000000001/receipt.pdf'
    const read = (cookie: string) => strictCaller.send({ method: 'GET', url, headers: { cookie } })
    assert.equal((await read(cookies[0] ?? '')).status, 403)
    assert.equal((await read(cookies.join('; '))).status, 404)
  })

  test('is the default for staff, and applies to open sessions', async () => {
    const quiet = await addWorkspace(made.context, { subdomain: 'quiet', settings: { second_factor_staff: undefined } })
    const quietCaller = callerOf(app, 'quiet.localhost')
    const token = await quietCaller.signIn(await addStaff(quiet), 'desk')
    assert.deepEqual(refusal(await quietCaller.get('/desk/api/me', token)), [403, 'second_factor_required'])
    const memberToken = await quietCaller.signIn(await addMember(quiet))
    assert.equal((await quietCaller.get('/user/permissions', memberToken)).status, 200)
    await inTransaction(quiet, (tx) =>
      tx
        .updateTable('workspaces')
        .set({ settings: JSON.stringify({ second_factor_members: 'required' }) })
        .where('workspace_id', '=', quiet.workspaceId)
        .execute(),
    )
    assert.deepEqual(refusal(await quietCaller.get('/user/permissions', memberToken)), [403, 'second_factor_required'])
    assert.equal((await quietCaller.post('/users/logout', {}, memberToken)).status, 200)
  })

  test('ends a session without a factor when its owner adds one in another', async () => {
    const person = await addMember(strict)
    const stolen = await strictCaller.signIn(person)
    const own = await strictCaller.signIn(person)
    await enrolTotp(strictCaller, made.context, own)
    assert.equal((await strictCaller.get(securityPath('portal'), stolen)).status, 401)
  })
})

describe('removed staff', () => {
  test('are refused at the next call, with or without a second factor', async () => {
    const person = await somebody('desk')
    await enrolTotp(caller, made.context, person.token, 'desk')
    assert.equal((await caller.get('/desk/api/me', person.token)).status, 200)
    await inTransaction(system, (tx) =>
      tx
        .updateTable('staff_users')
        .set({ status: 'locked' })
        .where('workspace_id', '=', system.workspaceId)
        .where('staff_id', '=', person.id)
        .execute(),
    )
    for (const path of ['/desk/api/me', '/desk/api/deposits', securityPath('desk')])
      assert.equal((await caller.get(path, person.token)).status, 401)
    const answer = await caller.post('/desk/api/login', person)
    assert.deepEqual(refusal(answer), [401, 'sign_in_failed'])
  })
})
