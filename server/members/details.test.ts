// spec: DK members
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { changeOfEmail, changeOfLegalName } from '@atrium/contract/forms/ready-made-details.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { aField, aForm } from '../../tests/fixtures/form-definitions.ts'
import { addAnswerFile, addForm } from '../../tests/fixtures/forms.ts'
import { linksIn, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addRequestType } from '../../tests/fixtures/requests.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, type MadeMember, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { withdrawalsHeldUntil } from '../sessions/factors/withdrawal-hold.ts'

let made: MadeContext
let close: () => Promise<void>
let caller: Caller
let system: System
let elsewhere: MadeMember
let compliance: string
let support: string
let forms: Record<'name' | 'email', { form: string; type: string }>

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  elsewhere = await addMember(await addWorkspace(made.context), { email: 'taken.elsewhere@harbour.test' })
  const name = await addForm(system, { definition: changeOfLegalName.definition })
  const email = await addForm(system, { definition: changeOfEmail.definition })
  forms = {
    name: { form: name, type: await addRequestType(system, { form_id: name, changes: 'legal_name' }) },
    email: { form: email, type: await addRequestType(system, { form_id: email, changes: 'email' }) },
  }
})
beforeEach(async () => {
  made.context.clock.advance(3_600_000)
  compliance = await enter('compliance', 'Cora Compliance')
  support = await enter('support', 'Sami Support')
})
after(() => close())

async function enter(role: string, name: string): Promise<string> {
  const { staffId } = await addStaff(system, { role, name })
  return (await openTestSession(system, { kind: 'staff', id: staffId })).token
}
const tokenOf = async (id: string) => (await openTestSession(system, { kind: 'member', id })).token
const isIn = async (token: string) => (await caller.get('/user/permissions', token)).status === 200
const heldUntil = (id: string) => reading(system, (tx) => withdrawalsHeldUntil(tx, system, id))
const errorsOf = ({ body }: Answered) => body.errors as Record<string, string[]>
let counted = 0
const nextEmail = () => `new-${++counted}@harbour.test`

const read = (id: string) =>
  reading(system, (tx) =>
    tx
      .selectFrom('members')
      .select(['first_name', 'last_name', 'email', 'emails', 'profile_version'])
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', id)
      .executeTakeFirstOrThrow(),
  )
const lastAudit = (id: string) =>
  reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', id)
      .where('action', '=', 'member.details-changed')
      .orderBy('audit_id', 'desc')
      .executeTakeFirst(),
  )

async function ask(memberId: string, what: 'name' | 'email', data: object, minutesLater = 0): Promise<Answered> {
  const { form, type } = forms[what]
  const body = { request: { request_type: type }, form_submit: { form, data } }
  const token = await tokenOf(memberId)
  made.context.clock.advance(minutesLater * 60_000)
  return caller.post('/requests/send-customer-request', body, token)
}
const askEmail = (memberId: string, new_email: string, minutesLater?: number) =>
  ask(memberId, 'email', { new_email, reason: 'The old provider closes.' }, minutesLater)
const idOf = ({ body, raw }: Answered): string => {
  assert.ok(body.request, raw)
  return (body.request as { _id: string })._id
}
const decide = (id: string, to: string, by: string, comment?: string) =>
  caller.post(`/desk/api/requests/${id}/status`, { from: 'not-assigned', to, comment }, by)
const change = (id: string, body: object, by = compliance) => caller.post(`/desk/api/members/${id}/details`, body, by)

describe('a requested change of email', () => {
  test('ends sessions, closes links, emails both addresses and starts the withdrawal hold when approved', async () => {
    const member = await addMember(system)
    const session = await caller.signIn(member)
    await caller.post(`/desk/api/members/${member.memberId}/reset-link`, {}, support)
    const [link = ''] = linksIn((await mailsTo(system, member.email)).at(-1)?.text ?? '')
    const email = nextEmail()
    const id = idOf(await askEmail(member.memberId, email))
    const shown = await caller.get(`/desk/api/requests/${id}`, support)
    const { revision, ...shownChange } = (shown.body.request as { change: { revision: string } }).change
    assert.ok(revision)
    assert.deepEqual(shownChange, { now: { email: member.email }, wanted: { email }, email_taken: false })
    assert.equal(await heldUntil(member.memberId), null)
    const approved = await decide(id, 'done', compliance)
    assert.equal(approved.status, 200, approved.raw)
    const after = await read(member.memberId)
    assert.deepEqual([after.email, after.emails, after.profile_version], [email, [email], 2])
    assert.equal(await isIn(session), false)
    const code = link.split('/').at(-1)
    assert.equal((await caller.post('/members/reset-password/check-code', { code })).status, 422)
    assert.equal((await caller.post('/members/login', member)).status, 401)
    assert.ok(await isIn(await caller.signIn({ ...member, email })))
    const [old, now] = [(await mailsTo(system, member.email)).at(-1), await mailsTo(system, email)]
    assert.equal(old?.subject, 'Your email was changed')
    assert.ok(!old.text.includes(email) && old.text.includes('n…@harbour.test'), old.text)
    assert.ok(now.some(({ subject, text }) => subject === 'Your email was changed' && text.includes(email)))
    const hold = await heldUntil(member.memberId)
    assert.equal(hold?.getTime(), made.context.clock.now().getTime() + 24 * 3_600_000)
    const entry = await lastAudit(member.memberId)
    const { request, ...rest } = { request: null, ...(entry?.after as object) }
    assert.deepEqual([entry?.before, rest], [{ email: member.email }, { email, sessions_ended: 2 }])
    assert.equal(typeof request, 'string')
  })

  test('changes the member once when approved twice at the same time', async () => {
    const { memberId } = await addMember(system)
    const id = idOf(await askEmail(memberId, nextEmail()))
    const both = await Promise.all([1, 2].map(() => decide(id, 'done', compliance)))
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    assert.equal((await read(memberId)).profile_version, 2)
  })

  test("accepts another member's email without revealing it, and is refused at the desk", async () => {
    const { email } = await addMember(system)
    const { memberId } = await addMember(system)
    const asked = await askEmail(memberId, email.toUpperCase())
    assert.equal(asked.status, 200, asked.raw)
    const id = idOf(asked)
    const shown = await caller.get(`/desk/api/requests/${id}`, compliance)
    assert.equal((shown.body.request as { change: { email_taken: boolean } }).change.email_taken, true)
    const refused = await decide(id, 'done', compliance)
    assert.deepEqual([refused.status, refused.body.error], [409, deskTexts.memberEmailTaken])
    assert.equal((await read(memberId)).profile_version, 1)
    // An address of another brokerage's member is not taken here.
    const free = idOf(await askEmail(memberId, elsewhere.email))
    assert.equal((await decide(free, 'done', compliance)).status, 200)
  })

  test('succeeds for one of two members when both are approved for the same address at the same time', async () => {
    const email = nextEmail()
    const people = [await addMember(system), await addMember(system)]
    const ids = await Promise.all(people.map(async ({ memberId }) => idOf(await askEmail(memberId, email))))
    const both = await Promise.all(ids.map((id) => decide(id, 'done', compliance)))
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  })

  test('reports an invalid, too long or unchanged address at its field', async () => {
    const { memberId, email } = await addMember(system)
    for (const [value, sentence] of [
      ['nobody', null],
      [`${'x'.repeat(45)}@harbour.test`, texts.textTooLong.replace('{{count}}', '50')],
      [email, requestTexts.changesNothing],
    ] as const) {
      const refused = await askEmail(memberId, value)
      assert.equal(refused.status, 422, value)
      assert.deepEqual(Object.keys(errorsOf(refused)), ['new_email'])
      if (sentence) assert.deepEqual(errorsOf(refused).new_email, [sentence])
    }
  })

  test('needs a comment to be rejected, and a permission to be approved', async () => {
    const { memberId, email } = await addMember(system)
    const id = idOf(await askEmail(memberId, nextEmail()))
    const notAllowed = await decide(id, 'done', support)
    assert.deepEqual([notAllowed.status, notAllowed.body.error], [403, deskTexts.changeNotPermitted])
    assert.deepEqual(Object.keys(errorsOf(await decide(id, 'rejected', support))), ['comment'])
    assert.equal((await decide(id, 'rejected', support, 'Please call us first.')).status, 200)
    assert.deepEqual([(await read(memberId)).email, await heldUntil(memberId)], [email, null])
  })

  test('is not approved over details that its page did not show', async () => {
    const { memberId } = await addMember(system)
    const wanted = nextEmail()
    const id = idOf(await askEmail(memberId, wanted))
    const seenAt = async () => {
      const { body } = await caller.get(`/desk/api/requests/${id}`, compliance)
      return (body.request as { change: { revision: string } }).change.revision
    }
    const approve = (seen: string) =>
      caller.post(`/desk/api/requests/${id}/status`, { from: 'not-assigned', to: 'done', seen }, compliance)
    const seen = await seenAt()
    const corrected = nextEmail()
    const names = { first_name: 'Mara', last_name: 'Member' }
    const changed = await change(memberId, { ...names, email: corrected, version: 1, reason: 'A slip' })
    assert.equal(changed.status, 200, changed.raw)
    const stale = await approve(seen)
    assert.deepEqual([stale.status, stale.body.error], [409, deskTexts.recordChanged])
    assert.equal((await read(memberId)).email, corrected)
    assert.equal((await approve(await seenAt())).status, 200)
    assert.equal((await read(memberId)).email, wanted)
  })

  test('is not approved when the password was changed after it, until it is sent again', async () => {
    const member = await addMember(system)
    const token = await caller.signIn(member)
    const wanted = nextEmail()
    const id = idOf(await askEmail(member.memberId, wanted))
    made.context.clock.advance(60_000)
    const password = 'Another-Harbour-2026'
    const renewed = await caller.post(
      '/members/change-password',
      { current_password: member.password, password, password_confirmation: password },
      token,
    )
    assert.equal(renewed.status, 200, renewed.raw)
    const refused = await decide(id, 'done', compliance)
    assert.deepEqual([refused.status, refused.body.error], [409, deskTexts.changeBeforePassword])
    assert.equal((await read(member.memberId)).email, member.email)
    assert.equal((await decide(id, 'rejected', compliance, 'Please send it again.')).status, 200)
    const again = idOf(await askEmail(member.memberId, wanted))
    assert.equal((await decide(again, 'done', compliance)).status, 200)
    assert.equal((await read(member.memberId)).email, wanted)
  })

  test('requires a fresh proof of identity to be sent', async () => {
    const sent = await askEmail((await addMember(system)).memberId, nextEmail(), 16)
    assert.deepEqual([sent.status, sent.body.code], [403, 'proof_required'], sent.raw)
  })

  test('requires a fresh proof of identity to be approved', async () => {
    const { memberId } = await addMember(system)
    const id = idOf(await askEmail(memberId, nextEmail()))
    made.context.clock.advance(20 * 60_000)
    const refused = await decide(id, 'done', compliance)
    assert.deepEqual([refused.status, refused.body.code], [403, 'proof_required'])
  })
})

describe('a requested change of legal name', () => {
  test('requires a file, and sets the name when approved', async () => {
    const member = await addMember(system)
    const data = { new_first_name: 'Mara', new_last_name: 'Borg-Vella', reason: 'marriage' }
    assert.deepEqual(Object.keys(errorsOf(await ask(member.memberId, 'name', data))), ['proof_files'])
    const proof_files = [await addAnswerFile(system, member.memberId)]
    const id = idOf(await ask(member.memberId, 'name', { ...data, proof_files }))
    assert.equal((await decide(id, 'done', compliance)).status, 200)
    const after = await read(member.memberId)
    assert.deepEqual([after.first_name, after.last_name, after.email], ['Mara', 'Borg-Vella', member.email])
    assert.deepEqual((await lastAudit(member.memberId))?.before, { last_name: 'Member' })
    const mails = await mailsTo(system, member.email)
    assert.ok(mails.some(({ subject, text }) => subject === 'Your name was changed' && text.includes('Borg-Vella')))
    assert.notEqual(await heldUntil(member.memberId), null)
  })

  test('sets the one name that the form showed', async () => {
    const needed = { config: { required: true } }
    const fields = [
      aField('select', 'which', { options: ['first', 'both'], ...needed }),
      aField('text', 'new_first_name', needed),
      aField('text', 'new_last_name', needed),
    ]
    const show_conditions = { new_last_name: { '==': [{ var: 'which' }, 'both'] } }
    const form = await addForm(system, { definition: aForm(fields, { show_conditions }) })
    const request_type = await addRequestType(system, { form_id: form, changes: 'legal_name' })
    const { memberId } = await addMember(system)
    const { last_name } = await read(memberId)
    const data = { which: 'first', new_first_name: 'Marta' }
    const body = { request: { request_type }, form_submit: { form, data } }
    const id = idOf(await caller.post('/requests/send-customer-request', body, await tokenOf(memberId)))
    const shown = await caller.get(`/desk/api/requests/${id}`, compliance)
    const { change } = shown.body.request as { change: { wanted: object } | null }
    assert.deepEqual(change?.wanted, { first_name: 'Marta' })
    assert.equal((await decide(id, 'done', compliance)).status, 200)
    const after = await read(memberId)
    assert.deepEqual([after.first_name, after.last_name], ['Marta', last_name])
  })
})

describe('a request type that changes the member', () => {
  test('needs a form with the new value, and keeps its change when an older page saves it', async () => {
    const admin = await enter('administrator', 'Ada Administrator')
    const type = { name: 'New email', description: null, predefined_type: null, show_in_portal: true }
    const add = (form: string | null, changes: string) =>
      caller.post(
        '/desk/api/request-types/add',
        { ...type, name: `${type.name} ${++counted}`, is_quick_link: false, form, changes },
        admin,
      )
    for (const form of [null, forms.name.form]) {
      const refused = await add(form, 'email')
      assert.deepEqual(errorsOf(refused).form, [deskTexts.changeFieldsMissing.replace('{{fields}}', 'new_email')])
    }
    const added = await add(forms.email.form, 'email')
    type Type = { _id: string; name: string; changes: string | null }
    const found = (added.body.types as Type[]).find(({ name }) => name === `${type.name} ${counted}`)
    assert.equal(found?.changes, 'email')
    const again = { ...type, name: 'Renamed', is_quick_link: false, form: forms.email.form }
    const changed = await caller.post(`/desk/api/request-types/${found._id}/change`, again, admin)
    const now = (changed.body.types as Type[]).find(({ _id }) => _id === found._id)
    assert.deepEqual([now?.name, now?.changes], ['Renamed', 'email'])
  })

  for (const [one, other] of [
    ['type', 'version'],
    ['version', 'type'],
    ['type', 'form'],
  ] as const)
    test(`has a form that fits it, also when ${one} and ${other} change together`, async () => {
      const admin = await enter('administrator', 'Ada Administrator')
      const name = `New email ${++counted}`
      const form = await addForm(system, { definition: changeOfEmail.definition })
      const changes = other === 'form' ? null : 'email'
      const type = await addRequestType(system, { name, form_id: changes ? form : forms.email.form })
      const calls = {
        type: () =>
          caller.post(
            `/desk/api/request-types/${type}/change`,
            {
              ...{ name, description: null, predefined_type: null, show_in_portal: true, is_quick_link: false },
              ...{ form, changes },
            },
            admin,
          ),
        version: () =>
          caller.post(
            `/desk/api/forms/${form}/publish`,
            { definition: aForm([aField('text', 'reason')]), based_on: 1 },
            admin,
          ),
        form: () =>
          caller.post(
            `/desk/api/forms/${form}/change`,
            { name, show_on: null, is_request: false, category: null, vendors: [], departments: [] },
            admin,
          ),
      }
      const [blocker, watcher] = [await made.openOwner(), await made.openOwner()]
      await blocker.query('begin')
      await blocker.query('lock table audit_log in exclusive mode')
      const first = calls[one]()
      await untilWaiting(watcher, 1)
      const second = calls[other]()
      await untilWaiting(watcher, 2)
      await blocker.query('commit')
      assert.deepEqual([(await first).status, (await second).status], [200, 422])
    })
})

describe('a change by staff', () => {
  test('has the same consequences, requires a reason, and is applied once', async () => {
    const member = await addMember(system)
    const session = await caller.signIn(member)
    const email = nextEmail()
    const body = { first_name: 'Mara', last_name: 'New', email, version: 1, reason: 'Asked on the phone' }
    assert.deepEqual(Object.keys(errorsOf(await change(member.memberId, { ...body, reason: ' ' }))), ['reason'])
    const answer = await change(member.memberId, body)
    assert.equal(answer.status, 200, answer.raw)
    const { details } = answer.body.member as { details: object }
    assert.deepEqual(details, { first_name: 'Mara', last_name: 'New', email, version: 2 })
    assert.equal(await isIn(session), false)
    assert.equal((await mailsTo(system, member.email)).at(-1)?.subject, 'Your email was changed')
    assert.equal((await mailsTo(system, email)).at(-1)?.subject, 'Your name and email were changed')
    assert.notEqual(await heldUntil(member.memberId), null)
    const after = { last_name: 'New', email, reason: 'Asked on the phone', sessions_ended: 1 }
    assert.deepEqual((await lastAudit(member.memberId))?.after, after)
    // A retry after a lost answer changes nothing more.
    assert.equal((await change(member.memberId, body)).status, 200)
    assert.equal((await read(member.memberId)).profile_version, 2)
    const stale = await change(member.memberId, { ...body, last_name: 'Other' })
    assert.deepEqual([stale.status, stale.body.error], [409, deskTexts.memberChangedElsewhere])
  })

  test('stores names without characters that nobody sees, so that two members cannot look the same', async () => {
    const { memberId, email } = await addMember(system)
    const body = { first_name: 'Ma\u200b\u200dra\u202e', last_name: '\ufeffNew\u00a0Name', email, version: 1 }
    assert.equal((await change(memberId, { ...body, reason: 'Asked' })).status, 200)
    const { first_name, last_name } = await read(memberId)
    assert.deepEqual([first_name, last_name], ['Mara', 'New Name'])
  })

  test('is refused without the permission, for a taken address and for another brokerage', async () => {
    const { email: taken } = await addMember(system)
    const { memberId, email } = await addMember(system)
    const body = { first_name: 'Mara', last_name: 'Member', email, version: 1, reason: 'Asked' }
    assert.equal((await change(memberId, { ...body, last_name: 'New' }, support)).status, 403)
    const refused = await change(memberId, { ...body, email: taken })
    assert.deepEqual([refused.status, errorsOf(refused).email], [409, [deskTexts.memberEmailTaken]])
    assert.deepEqual(Object.keys(errorsOf(await change(memberId, { ...body, email: 'x' }))), ['email'])
    assert.equal((await change(elsewhere.memberId, { ...body, last_name: 'New' })).status, 404)
  })
})
