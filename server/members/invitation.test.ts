// spec: DK members
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { answerResetRequests, linksIn, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addMember, addStaff, addWorkspace, openTestSession, testPassword } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { withdrawalsHeldUntil } from '../sessions/factors/withdrawal-hold.ts'

let made: MadeContext
let close: () => Promise<void>
let caller: Caller
let system: System
let support: string
let administrator: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  support = await enter('support')
  administrator = await enter('administrator')
})
after(() => close())

async function enter(role: string): Promise<string> {
  const { staffId } = await addStaff(system, { role })
  return (await openTestSession(system, { kind: 'staff', id: staffId })).token
}

let counted = 0
const somebody = (values: object = {}) => ({
  idempotency_key: newId(),
  first_name: 'Ines',
  last_name: 'Invited',
  email: `invited-${++counted}@harbour.test`,
  phone: '+356 2122 4455',
  country: 'MT',
  language: 'de',
  type: 'client',
  ...values,
})
const invite = (body: object, by = support) => caller.post('/desk/api/members/invite', body, by)
type Shown = { _id: string; status: string; email: string; invited_until: number | null; addresses: object[] }
const shownIn = ({ body, raw }: Answered): Shown => {
  assert.ok(body.member, raw)
  return body.member as Shown
}
const errorsOf = ({ body }: Answered) => body.errors as Record<string, string[]>
const act = (id: string, what: string, body: object = {}, by = support) =>
  caller.post(`/desk/api/members/${id}/${what}`, body, by)
const codesTo = async (email: string): Promise<string[]> =>
  (await mailsTo(system, email)).flatMap(({ text }) =>
    linksIn(text).flatMap((link) => link.split('/reset-password/')[1] ?? []),
  )
const setPassword = (code: string | undefined, password = testPassword) =>
  caller.post('/members/reset-password/process', { code, password, password_confirmation: password })
const auditOf = (id: string) =>
  reading(system, async (tx) => {
    const rows = tx.selectFrom('audit_log').select('action').where('workspace_id', '=', system.workspaceId)
    return (await rows.where('member_id', '=', id).orderBy('audit_id').execute()).map(({ action }) => action)
  })

describe('a member invited at the desk', () => {
  test('sets the first password by the link, once, and signs in; the desk never sees the code', async () => {
    const person = somebody()
    const answer = await invite(person)
    const member = shownIn(answer)
    assert.equal(member.status, 'invited')
    assert.equal(member.invited_until, made.context.clock.now().getTime() + 3 * 86_400_000)
    assert.deepEqual(member.addresses, [{ lines: [], country_code: 'MT', primary: true }])
    const [code = ''] = await codesTo(person.email)
    assert.ok(!answer.raw.includes(code))
    assert.equal((await caller.post('/members/login', { email: person.email, password: testPassword })).status, 401)
    const checked = await caller.post('/members/reset-password/check-code', { code })
    assert.deepEqual(checked.body, { status: 'ok', user: { _id: member._id }, purpose: 'invitation' })
    assert.deepEqual((await setPassword(code)).body.msg, [sessionTexts.passwordSet])
    assert.equal((await setPassword(code, 'Harbour-2027')).status, 422)
    const token = await caller.signIn({ email: person.email, password: testPassword })
    assert.equal((await caller.get('/user/permissions', token)).status, 200)
    // A first password starts no withdrawal hold.
    assert.equal(await reading(system, (tx) => withdrawalsHeldUntil(tx, system, member._id)), null)
    assert.deepEqual((await auditOf(member._id)).slice(0, 2), ['member.invited', 'member.joined'])
    assert.equal((await act(member._id, 'resend-invitation')).status, 409)
  })

  test('is created once by a double click, and the form cannot be reused for another person', async () => {
    const person = somebody()
    const both = await Promise.all([invite(person), invite(person)])
    assert.equal(new Set(both.map((answer) => shownIn(answer)._id)).size, 1)
    assert.equal((await codesTo(person.email)).length, 1)
    const others = {
      ...{ first_name: 'Other', last_name: 'Other', email: somebody().email },
      ...{ phone: '+356 2122 4456', country: 'DE', language: null, type: 'sales_person' },
    }
    for (const [field, value] of Object.entries(others)) {
      const other = await invite({ ...person, [field]: value }, administrator)
      assert.deepEqual([other.status, other.body.code], [409, 'nonce_reused'], field)
    }
    assert.equal(shownIn(await invite(person))._id, shownIn(both[0])._id)
  })

  test('is created once for two concurrent invitations to the same address', async () => {
    const { email } = somebody()
    const both = await Promise.all([invite(somebody({ email })), invite(somebody({ email: email.toUpperCase() }))])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    const refused = both.find(({ status }) => status === 409)
    assert.deepEqual(refused && errorsOf(refused).email, [deskTexts.memberEmailTaken])
  })

  test('gets a newer link, which replaces the older one, until it is revoked or expires', async () => {
    const person = somebody()
    const { _id } = shownIn(await invite(person))
    await act(_id, 'resend-invitation')
    const [older, newer] = await codesTo(person.email)
    assert.equal((await caller.post('/members/reset-password/check-code', { code: older })).status, 422)
    assert.equal((await caller.post('/members/reset-password/check-code', { code: newer })).status, 200)
    assert.equal(shownIn(await act(_id, 'revoke-invitation')).invited_until, null)
    assert.equal((await setPassword(newer)).status, 422)
    assert.deepEqual((await act(_id, 'revoke-invitation')).body.error, deskTexts.invitationNone)
    await act(_id, 'resend-invitation')
    const latest = (await codesTo(person.email)).at(-1)
    made.context.clock.advance(3 * 86_400_000)
    support = await enter('support')
    assert.equal((await setPassword(latest)).status, 422)
    assert.equal(shownIn(await caller.get(`/desk/api/members/${_id}`, support)).invited_until, null)
    assert.deepEqual(await auditOf(_id), [
      'member.invited',
      'member.invitation-sent',
      'member.invitation-revoked',
      'member.invitation-sent',
    ])
  })

  test('cannot be locked, sent a reset link, or use a forgotten password', async () => {
    const person = somebody()
    const { _id } = shownIn(await invite(person))
    assert.deepEqual((await act(_id, 'reset-link')).body.error, deskTexts.memberInvited)
    const compliance = await enter('compliance')
    assert.deepEqual((await act(_id, 'lock', { reason: 'A slip' }, compliance)).body.error, deskTexts.memberInvited)
    await caller.post('/members/reset-password/request', { email: person.email })
    await answerResetRequests(system)
    assert.equal((await mailsTo(system, person.email)).length, 1)
  })

  test('gets a new link when a mistyped email is corrected', async () => {
    const person = somebody()
    const { _id } = shownIn(await invite(person))
    const email = `right-${counted}@harbour.test`
    const { first_name, last_name } = person
    const body = { first_name, last_name, email, version: 1, reason: 'Mistyped' }
    assert.equal((await act(_id, 'details', body, await enter('compliance'))).status, 200)
    const [wrong] = await codesTo(person.email)
    assert.equal((await setPassword(wrong)).status, 422)
    const [right] = await codesTo(email)
    assert.equal((await setPassword(right)).status, 200)
  })

  test('is listed among the invited, and can be invited with the permission only', async () => {
    const { _id } = shownIn(await invite(somebody()))
    await addMember(system)
    const { body } = await caller.get('/desk/api/members?status=invited&limit=100', support)
    const members = body.members as Shown[]
    assert.ok(members.some((each) => each._id === _id) && members.every(({ status }) => status === 'invited'))
    const finance = await enter('finance')
    assert.equal((await invite(somebody(), finance)).status, 403)
    for (const what of ['resend-invitation', 'revoke-invitation'])
      assert.equal((await act(_id, what, {}, finance)).status, 403)
    // A sales person sees the names of other members, so inviting one needs the permission to change members.
    assert.equal((await invite(somebody({ type: 'sales_person' }))).status, 403)
    assert.equal((await invite(somebody({ type: 'sales_person' }), await enter('compliance'))).status, 200)
  })

  test('is refused with invalid fields, all of which are reported', async () => {
    const wrong = {
      first_name: ' ',
      last_name: 'x'.repeat(121),
      email: 'nobody',
      phone: '12',
      country: 'QQ',
      language: 'xx',
    }
    const refused = await invite(somebody(wrong))
    assert.deepEqual([refused.status, Object.keys(errorsOf(refused)).sort()], [422, Object.keys(wrong).sort()])
  })
})
