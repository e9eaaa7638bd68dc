// spec: DK session, DK tickets
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf, retryWhileBusy } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { answerResetRequests, linksIn, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  type MadeStaff,
  openTestSession,
  testPassword,
} from '../../tests/fixtures/workspaces.ts'
import { sweepUploads } from '../files/sweep.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'

const newPassword = 'Tidal-Gauge-71'
let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let caller: Caller
let staff: MadeStaff

before(async () => {
  ;({ made, app, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
})
after(() => close())
beforeEach(async () => {
  made.context.clock.advance(15 * 60_000 + 1)
  staff = await addStaff(system, { role: 'viewer' })
})

const signIn = () => caller.signIn(staff, 'desk')
const isIn = async (token: string) => (await caller.get('/desk/api/me', token)).status === 200
const change = (token: string, body: object) =>
  caller.post(
    '/desk/api/account/password',
    { password: newPassword, password_confirmation: newPassword, ...body },
    token,
  )

describe('a desk user’s own password', () => {
  test('changes with the current one: ends other sessions, keeps this one, mails and audits', async () => {
    const [token, elsewhere] = [await signIn(), await signIn()]
    const answer = await change(token, { current_password: testPassword })
    assert.deepEqual([answer.status, answer.body.msg], [200, [sessionTexts.passwordChanged]])
    assert.deepEqual([await isIn(token), await isIn(elsewhere)], [true, false])
    assert.equal((await caller.post('/desk/api/login', staff)).status, 401)
    await caller.signIn({ ...staff, password: newPassword }, 'desk')
    const mail = (await mailsTo(system, staff.email)).find(({ subject }) => subject === 'Your password was changed')
    assert.match(mail?.text ?? '', /desk account.*\n[\s\S]*\/desk\/forgot-password/)
    assert.equal((await entriesOf('password.changed')).length, 1)
  })

  test('requires the current one even after a fresh sign-in, and a wrong one changes nothing', async () => {
    const token = await signIn()
    assert.deepEqual((await change(token, {})).body.errors, { current_password: [texts.currentPasswordMissing] })
    const wrong = await change(token, { current_password: 'Wrong-2026' })
    assert.deepEqual(wrong.body.errors, { current_password: [texts.currentPasswordWrong] })
    await signIn()
  })

  test('is limited to ten guesses', async () => {
    const token = await signIn()
    const guesses = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        retryWhileBusy(() => change(token, { current_password: `Guess-${index}` })),
      ),
    )
    assert.equal(guesses.filter(({ status }) => status === 422).length, 10)
    assert.equal(guesses.filter(({ status }) => status === 429).length, 15)
  })

  test('follows the members’ rules', async () => {
    const token = await signIn()
    for (const [password, sentence] of [
      ['short1A', texts.passwordTooShort],
      ['Password1', sessionTexts.passwordCommon],
      [`Aa1${'x'.repeat(18)}`, texts.passwordTooLong.replace('{{count}}', '20')],
    ] as const) {
      const body = { current_password: testPassword, password, password_confirmation: password }
      assert.deepEqual((await change(token, body)).body.errors, { password: [sentence] }, password)
    }
  })
})

describe('a desk user’s own sessions', () => {
  test('lists them, and ends them one by one or all others together; never another person’s', async () => {
    const [token, second, third] = [await signIn(), await signIn(), await signIn()]
    const otherStaff = await addStaff(system)
    const otherToken = await caller.signIn(otherStaff, 'desk')
    const list = async () =>
      (await caller.get('/desk/api/account/sessions', token)).body.sessions as { _id: string; current: boolean }[]
    assert.equal((await list()).length, 3)
    const foreign = (await caller.get('/desk/api/account/sessions', otherToken)).body.sessions as { _id: string }[]
    const end = (_id: string) => caller.post('/desk/api/account/sessions/end', { _id }, token)
    assert.equal((await end(foreign[0]?._id ?? '')).status, 404)
    const ended = (await list()).find(({ current }) => !current)?._id ?? ''
    assert.equal((await end(ended)).status, 200)
    assert.equal((await end(ended)).status, 404)
    assert.equal((await list()).length, 2)
    const rest = await caller.post('/desk/api/account/sessions/end-others', {}, token)
    assert.equal(rest.body.ended, 1)
    assert.deepEqual(
      [await isIn(token), await isIn(second), await isIn(third), await isIn(otherToken)],
      [true, false, false, true],
    )
  })
})

describe('a desk user’s own name', () => {
  test('changes, with the previous one in the audit log', async () => {
    const token = await signIn()
    const rename = (name: string) => caller.post('/desk/api/account/name', { name }, token)
    assert.equal((await rename('Sela\u202e <b>Storm</b> 🌊')).status, 200)
    const { user } = (await caller.get('/desk/api/me', token)).body as { user: { name: string } }
    assert.equal(user.name, 'Sela <b>Storm</b> 🌊', 'without the mark that turns the direction')
    assert.deepEqual((await entriesOf('staff.renamed'))[0]?.before, { name: staff.name })
    for (const [name, sentence] of [
      ['  ', texts.nameMissing],
      ['x'.repeat(121), deskTexts.nameTooLong],
      ['a\nb', texts.nameUnreadable],
    ] as const)
      assert.deepEqual((await rename(name)).body.errors, { name: [sentence] })
  })
})

describe('a desk user’s own picture', () => {
  test('is visible to signed-in people of the brokerage only, and is replaced by the next one', async () => {
    const token = await signIn()
    const wear = (picture: Buffer) =>
      caller.post('/desk/api/account/picture', { picture: picture.toString('base64') }, token)
    const shownUser = async () => (await caller.get('/desk/api/me', token)).body.user as { picture: string | null }
    assert.deepEqual((await wear(makePng())).body.msg, [profileTexts.pictureSaved])
    const { picture: first } = await shownUser()
    assert.ok(first)
    const member = await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
    const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const otherStaff = await openTestSession(elsewhere, { kind: 'staff', id: (await addStaff(elsewhere)).staffId })
    const readers = [token, member.token, otherStaff.token, undefined]
    const seen = await Promise.all(readers.map(async (reader) => (await caller.get(first, reader)).status))
    assert.deepEqual(seen, [200, 200, 401, 401])
    const hosted = callerOf(app, 'elsewhere.localhost')
    assert.equal((await hosted.get(first, otherStaff.token)).status, 404)

    assert.equal((await wear(makePng())).status, 200)
    assert.deepEqual((await shownUser()).picture, first, 'the same one sent twice is no change')
    await wear(makePng({ width: 4, height: 4 }))
    const { picture: next } = await shownUser()
    assert.notEqual(next, first)
    assert.equal((await caller.get(first, token)).status, 404)
    assert.equal((await entriesOf('staff.picture-changed')).length, 2)
    assert.equal(await filesOf(system), 1)
    made.context.clock.advance(48 * 3_600_000)
    await sweepUploads(system)
    assert.equal(await filesOf(system), 1)
  })

  test('must be a picture, and can be removed', async () => {
    const token = await signIn()
    const wear = (picture: string | null) => caller.post('/desk/api/account/picture', { picture }, token)
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const nonsense of [drawing.toString('base64'), 'not base64!', ''])
      assert.deepEqual((await wear(nonsense)).body.errors, { picture: [fileTexts.logoInvalid] })
    await wear(makePng().toString('base64'))
    assert.deepEqual((await wear(null)).body.msg, [profileTexts.pictureRemoved])
    assert.equal(((await caller.get('/desk/api/me', token)).body.user as { picture: string | null }).picture, null)
  })

  async function filesOf({ workspaceId }: System): Promise<number> {
    let count = 0
    for await (const _ of made.context.files.list(workspaceId)) count += 1
    return count
  }
})

describe('a password reset of staff', () => {
  const ask = (email: string) => caller.post('/desk/api/reset-password/request', { email })
  const reset = (code: string) =>
    caller.post('/desk/api/reset-password/process', { code, password: newPassword, password_confirmation: newPassword })
  async function codeFor(email: string): Promise<string> {
    await answerResetRequests(system)
    const link = linksIn((await mailsTo(system, email)).at(-1)?.text ?? '').find((each) => each.includes('/desk/reset'))
    return link?.split('/').at(-1) ?? ''
  }

  test('sets the password by a link that works once, and ends every session', async () => {
    const token = await signIn()
    assert.equal((await ask(staff.email)).status, 200)
    const code = await codeFor(staff.email)
    assert.equal(Buffer.from(code, 'base64url').length, 32)
    assert.equal((await reset(code)).status, 200)
    assert.equal(await isIn(token), false)
    await caller.signIn({ ...staff, password: newPassword }, 'desk')
    assert.equal((await reset(code)).status, 422)
    assert.equal((await entriesOf('password.reset')).length, 1)
  })

  test('succeeds once for fifty concurrent uses; an expired link, one closed by another, or a locked user fail', async () => {
    await ask(staff.email)
    const first = await codeFor(staff.email)
    await ask(staff.email)
    const newer = await codeFor(staff.email)
    const answers = await Promise.all(Array.from({ length: 25 }, () => reset(newer)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await reset(first)).status, 422)
    await ask(staff.email)
    const old = await codeFor(staff.email)
    made.context.clock.advance(60 * 60_000)
    assert.equal((await reset(old)).status, 422)
  })

  test('answers alike for an unknown email, a member and a locked user, and mails none of them', async () => {
    const member = await addMember(system)
    const locked = await addStaff(system, { status: 'locked' })
    const invited = await addStaff(system, { status: 'invited' })
    const known = await ask(staff.email)
    for (const email of ['nobody@harbour.test', member.email, locked.email, invited.email]) {
      const answer = await ask(email)
      assert.deepEqual([answer.status, answer.raw], [known.status, known.raw])
      await answerResetRequests(system)
      assert.equal((await mailsTo(system, email)).length, 0, email)
    }
  })

  test('can be requested three times in a quarter of an hour', async () => {
    const statuses = []
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await ask(staff.email)).status)
    assert.deepEqual(statuses, [200, 200, 200, 429])
  })
})

async function entriesOf(action: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('workspace_id', '=', system.workspaceId)
      .where('subject_id', '=', staff.staffId)
      .where('action', '=', action)
      .execute(),
  )
}
