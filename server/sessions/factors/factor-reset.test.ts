// spec: OP factors
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../../tests/fixtures/context.ts'
import { answerResetRequests, mailsTo } from '../../../tests/fixtures/mailbox.ts'
import { here } from '../../../tests/fixtures/on-this-machine.ts'
import {
  enrolPasskey,
  enrolTotp,
  enterFactor,
  enterPassword,
  securityPath,
} from '../../../tests/fixtures/second-factors.ts'
import { untilWaiting } from '../../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, memberActor } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { withdrawalsHeldUntil } from './withdrawal-hold.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let caller: Caller
let origin: string

before(async () => {
  ;({ made, app, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  origin = `http://localhost:${made.context.config.port}`
})
after(() => close())

const hour = 3_600_000
const staffToken = async (role: string, where = system, by = caller) =>
  by.signIn(await addStaff(where, { role }), 'desk')

async function memberWithFactors() {
  const member = await addMember(system)
  const token = await caller.signIn(member)
  const phone = await enrolTotp(caller, made.context, token)
  await enrolPasskey(caller, { token, origin })
  made.context.clock.advance(60_000)
  return { ...member, ...phone, token }
}

const resetMember = (
  id: string,
  token: string,
  body: object = { reason: 'Lost the phone, called back' },
  by = caller,
) => by.post(`/desk/api/members/${id}/reset-second-factor`, body, token)
const resetStaff = (id: string, token: string) =>
  caller.post(`/desk/api/staff/${id}/reset-second-factor`, { reason: 'New phone' }, token)

function heldUntil(memberId: string, where = system): Promise<Date | null> {
  return reading(where, (tx) => withdrawalsHeldUntil(tx, where, memberId))
}

describe('a factor reset by staff', () => {
  test('removes the factors with a reason: ends sessions, mails, audits, and leaves the password alone to sign in', async () => {
    const member = await memberWithFactors()
    const asked = await enterPassword(caller, member)
    const answer = await resetMember(member.memberId, await staffToken('compliance'))
    assert.deepEqual([answer.status, answer.body.msg], [200, [deskTexts.factorsReset]])
    assert.equal((await caller.get('/user/permissions', member.token)).status, 401)
    for (const factor of [{ code: member.code() }, { recovery_code: member.codes[0] }])
      assert.equal((await enterFactor(caller, asked.challenge, factor)).status, 422)
    await caller.signIn(member)
    const subjects = (await mailsTo(system, member.email)).map(({ subject }) => subject)
    assert.ok(subjects.includes('Your second factors were removed'))
    const entry = await reading(system, (tx) =>
      tx
        .selectFrom('audit_log')
        .where(here)
        .select(['actor_kind', 'before', 'after'])
        .where('action', '=', 'second-factors.reset')
        .where('member_id', '=', member.memberId)
        .executeTakeFirstOrThrow(),
    )
    assert.deepEqual(entry, {
      actor_kind: 'staff',
      before: { totp: true, passkeys: 1 },
      after: { reason: 'Lost the phone, called back' },
    })
  })

  test('requires a reason and the permission, and finds nothing to remove the second time', async () => {
    const member = await memberWithFactors()
    const token = await staffToken('compliance')
    for (const body of [{}, { reason: '  ' }]) {
      const answer = await resetMember(member.memberId, token, body)
      assert.deepEqual([answer.status, answer.body.errors], [422, { reason: [deskTexts.reasonMissing] }])
    }
    for (const role of ['viewer', 'support', 'finance'])
      assert.equal((await resetMember(member.memberId, await staffToken(role))).status, 403)
    assert.equal((await resetMember(member.memberId, member.token)).status, 401)
    assert.equal((await resetMember(member.memberId, token)).status, 200)
    assert.equal((await resetMember(member.memberId, token)).status, 409)
  })

  test('is refused to a colleague who gets another role while the call waits for the member', async () => {
    const member = await memberWithFactors()
    const colleague = await addStaff(system, { role: 'compliance' })
    const token = await caller.signIn(colleague, 'desk')
    const [blocker, watcher] = [await made.openOwner(), await made.openOwner()]
    await blocker.query('begin')
    await blocker.query('select from members where member_id = $1 for update', [member.memberId])
    const reset = resetMember(member.memberId, token)
    await untilWaiting(watcher, 1)
    await watcher.query(`update staff_users set role = 'viewer' where staff_id = $1`, [colleague.staffId])
    await blocker.query('commit')
    const { status, body } = await reset
    assert.deepEqual([status, body.error], [403, deskTexts.ownRoleChanged])
    assert.equal((await caller.get('/user/permissions', member.token)).status, 200)
    await watcher.query(`update staff_users set role = 'compliance' where staff_id = $1`, [colleague.staffId])
    assert.equal((await resetMember(member.memberId, token)).status, 200)
  })

  test('requires a fresh proof of the staff user', async () => {
    const member = await memberWithFactors()
    const token = await staffToken('compliance')
    made.context.clock.advance(16 * 60_000)
    const answer = await resetMember(member.memberId, token)
    assert.deepEqual([answer.status, answer.body.code], [403, 'proof_required'])
    assert.equal((await caller.get('/user/permissions', member.token)).status, 200)
  })

  test('answers for a member of another workspace as for an unknown one', async () => {
    const member = await memberWithFactors()
    const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const by = callerOf(app, 'elsewhere.localhost')
    const token = await staffToken('administrator', elsewhere, by)
    const foreign = await resetMember(member.memberId, token, undefined, by)
    const unknown = await resetMember('0190a0b0-0000-7000-8000-000000000001', token, undefined, by)
    assert.equal(foreign.status, 404)
    assert.deepEqual({ ...foreign.body, request_id: '' }, { ...unknown.body, request_id: '' })
    assert.equal((await caller.get('/user/permissions', member.token)).status, 200)
  })
})

describe('a factor reset by an administrator', () => {
  test('resets a colleague’s factors and never the administrator’s own', async () => {
    const colleague = await addStaff(system, { role: 'finance' })
    const colleagueToken = await caller.signIn(colleague, 'desk')
    await enrolTotp(caller, made.context, colleagueToken, 'desk')
    const admin = await addStaff(system)
    const adminToken = await caller.signIn(admin, 'desk')
    await enrolTotp(caller, made.context, adminToken, 'desk')
    assert.equal((await resetStaff(colleague.staffId, await staffToken('compliance'))).status, 403)
    for (const id of [admin.staffId, admin.staffId.toUpperCase()]) {
      const own = await resetStaff(id, adminToken)
      assert.deepEqual([own.status, own.body.error], [403, deskTexts.factorsResetOwn])
    }
    assert.equal((await resetStaff(colleague.staffId, adminToken)).status, 200)
    assert.equal((await caller.get('/desk/api/me', colleagueToken)).status, 401)
    await caller.signIn(colleague, 'desk')
    const subjects = (await mailsTo(system, colleague.email)).map(({ subject }) => subject)
    assert.ok(subjects.includes('Your second factors were removed'))
  })
})

describe('the withdrawal hold', () => {
  test('lasts a day after a factor is removed by its owner, removed by staff or replaced', async () => {
    const member = await memberWithFactors()
    assert.equal(await heldUntil(member.memberId), null)
    await caller.post(securityPath('portal', '/totp/remove'), {}, member.token)
    const until = new Date(made.context.clock.now().getTime() + 24 * hour)
    assert.deepEqual(await heldUntil(member.memberId), until)
    const shown = await caller.get(securityPath('portal'), member.token)
    assert.equal((shown.body.security as { withdrawals_held_until: number }).withdrawals_held_until, until.getTime())
    made.context.clock.advance(24 * hour - 1)
    assert.deepEqual(await heldUntil(member.memberId), until)
    made.context.clock.advance(1)
    assert.equal(await heldUntil(member.memberId), null)
    await resetMember(member.memberId, await staffToken('compliance'))
    assert.ok(await heldUntil(member.memberId))
  })

  test('lasts a day after a password reset, which keeps the second factor', async () => {
    const member = await memberWithFactors()
    await caller.post('/members/reset-password/request', { email: member.email })
    await answerResetRequests(system)
    const mail = (await mailsTo(system, member.email)).find(({ subject }) => subject === 'Set a new password')
    const code = /\/reset-password\/([\w-]+)/.exec(mail?.text ?? '')?.[1]
    const password = 'Tidal-Gauge-71'
    const reset = { code, password, password_confirmation: password }
    assert.equal((await caller.post('/members/reset-password/process', reset)).status, 200)
    const until = await heldUntil(member.memberId)
    assert.equal(until?.getTime(), made.context.clock.now().getTime() + 24 * hour)
    await enterPassword(caller, { ...member, password })
  })

  test('holds no other member, no other workspace, and nothing where the workspace turns it off', async () => {
    const member = await memberWithFactors()
    await caller.post(securityPath('portal', '/totp/remove'), {}, member.token)
    assert.ok(await heldUntil(member.memberId))
    const other = await addMember(system)
    assert.equal(await heldUntil(other.memberId), null)
    const asOther = await memberActor(system, other.memberId)
    assert.equal(await reading(asOther, (tx) => withdrawalsHeldUntil(tx, asOther, member.memberId)), null)
    const elsewhere = await addWorkspace(made.context, { subdomain: 'third' })
    assert.equal(await heldUntil(member.memberId, elsewhere), null)
    await inTransaction(system, (tx) =>
      tx
        .updateTable('workspaces')
        .set({ settings: JSON.stringify({ hold_withdrawals: false }) })
        .where('workspace_id', '=', system.workspaceId)
        .execute(),
    )
    assert.equal(await heldUntil(member.memberId), null)
  })
})
