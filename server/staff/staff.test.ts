// spec: DK record, DK staff
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Call } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import * as deskStaff from '@atrium/contract/staff/desk-calls.ts'
import { staffRoles } from '@atrium/contract/staff/rights.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { openTwoApps } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { linksIn, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, type MadeStaff, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { changeStaffRole, lockStaff } from './staff.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let other: System
let caller: Caller
let second: Caller
let admin: MadeStaff
let token: string

before(async () => {
  ;({ made, caller, second, close } = await openTwoApps())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  other = await addWorkspace(made.context, { subdomain: 'north' })
})
after(() => close())
beforeEach(async () => {
  made.context.clock.advance(15 * 60_000 + 1)
  await retireEverybody()
  admin = await addStaff(system, { name: 'Ada Admin' })
  token = await tokenOf(admin)
})

/** Each test has its own staff. */
async function retireEverybody(): Promise<void> {
  await inTransaction(system, (tx) =>
    tx.updateTable('staff_users').set({ status: 'locked' }).where('workspace_id', '=', system.workspaceId).execute(),
  )
}

async function tokenOf({ staffId }: MadeStaff): Promise<string> {
  return (await openTestSession(system, { kind: 'staff', id: staffId })).token
}

const isIn = async (bearer: string) => (await second.get('/desk/api/me', bearer)).status === 200
const post = (path: string, body: object = {}, bearer = token) => caller.post(`/desk/api/staff/${path}`, body, bearer)

type Listed = { _id: string; email: string; role: string; state: string; sessions: number; self: boolean }
async function listed(email: string, bearer = token): Promise<Listed | undefined> {
  const { body } = await caller.get('/desk/api/staff', bearer)
  return (body.staff as Listed[]).find((person) => person.email === email)
}

async function auditOf(staffId: string, action: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['actor_id', 'before', 'after'])
      .where('workspace_id', '=', system.workspaceId)
      .where('subject_id', '=', staffId)
      .where('action', '=', action)
      .execute(),
  )
}

describe('the list of staff', () => {
  test('shows the workspace’s staff with role and sessions', async () => {
    const finance = await addStaff(system, { name: 'Fay Finance', role: 'finance' })
    const otherStaff = await addStaff(other)
    await tokenOf(finance)
    const found = await listed(finance.email)
    assert.deepEqual([found?.role, found?.state, found?.sessions, found?.self], ['finance', 'active', 1, false])
    assert.equal((await listed(admin.email))?.self, true)
    assert.equal(await listed(otherStaff.email), undefined)
  })
})

describe('roles', () => {
  test('change, apply from the next call, and are audited with the previous role', async () => {
    const colleague = await addStaff(system, { role: 'viewer' })
    const bearer = await tokenOf(colleague)
    assert.equal((await caller.get('/desk/api/staff', bearer)).status, 403)
    const answer = await post(`${colleague.staffId}/role`, { role: 'administrator' })
    assert.deepEqual([answer.status, (answer.body.staff as Listed).role], [200, 'administrator'])
    assert.equal((await second.get('/desk/api/staff', bearer)).status, 200)
    const [entry, ...more] = await auditOf(colleague.staffId, 'staff.role-changed')
    assert.deepEqual(
      [entry?.actor_id, entry?.before, entry?.after],
      [admin.staffId, { role: 'viewer' }, { role: 'administrator' }],
    )
    assert.equal(more.length, 0)
  })

  test('change once when sent twice', async () => {
    const colleague = await addStaff(system, { role: 'viewer' })
    for (const _ of [1, 2]) assert.equal((await post(`${colleague.staffId}/role`, { role: 'support' })).status, 200)
    assert.equal((await auditOf(colleague.staffId, 'staff.role-changed')).length, 1)
  })

  test('are refused in their field when unknown', async () => {
    const colleague = await addStaff(system, { role: 'viewer' })
    const answer = await post(`${colleague.staffId}/role`, { role: 'king' })
    assert.deepEqual([answer.status, answer.body.errors], [422, { role: [deskTexts.roleUnknown] }])
  })
})

describe('locking', () => {
  test('ends every session on every process and blocks sign-in until unlocked', async () => {
    const colleague = await addStaff(system)
    const sessions = [await caller.signIn(colleague, 'desk'), await second.signIn(colleague, 'desk')]
    assert.equal((await post(`${colleague.staffId}/lock`)).status, 200)
    for (const session of sessions) assert.equal(await isIn(session), false)
    assert.equal((await caller.post('/desk/api/login', colleague)).status, 401)
    const [entry] = await auditOf(colleague.staffId, 'staff.locked')
    assert.deepEqual([entry?.before, entry?.after], [{ status: 'active' }, { status: 'locked', sessions_ended: 2 }])
    assert.equal((await post(`${colleague.staffId}/unlock`)).status, 200)
    await caller.signIn(colleague, 'desk')
    for (const session of sessions) assert.equal(await isIn(session), false)
  })

  test('is idempotent, and unlocking an unlocked user changes nothing', async () => {
    const colleague = await addStaff(system)
    for (const verb of ['lock', 'lock', 'unlock', 'unlock'])
      assert.equal((await post(`${colleague.staffId}/${verb}`)).status, 200)
    assert.equal((await auditOf(colleague.staffId, 'staff.locked')).length, 1)
    assert.equal((await auditOf(colleague.staffId, 'staff.unlocked')).length, 1)
  })

  test('ending sessions leaves the user able to sign in', async () => {
    const colleague = await addStaff(system)
    const session = await caller.signIn(colleague, 'desk')
    const answer = await post(`${colleague.staffId}/end-sessions`)
    assert.deepEqual([answer.status, (answer.body.staff as Listed).sessions], [200, 0])
    assert.equal(await isIn(session), false)
    await caller.signIn(colleague, 'desk')
  })
})

describe('a fresh proof of identity', () => {
  test('is required to invite, to change a role and to unlock, but not to lock', async () => {
    const colleague = await addStaff(system, { role: 'viewer' })
    made.context.clock.advance((limits.freshSignInMinutes + 1) * 60_000)
    assert.equal((await post(`${colleague.staffId}/lock`)).status, 200)
    const email = `${newId()}@ivo.test`
    const refused = [
      await post('invite', { name: 'Ivo Invited', email, role: 'administrator' }),
      await post(`${colleague.staffId}/role`, { role: 'administrator' }),
      await post(`${colleague.staffId}/unlock`),
    ]
    for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'proof_required'])
    assert.equal(await listed(email), undefined)
    const found = await listed(colleague.email)
    assert.deepEqual([found?.role, found?.state], ['viewer', 'locked'])
  })
})

describe('a change of staff that must not happen', () => {
  test('is refused if it removes the last administrator, even from the command line', async () => {
    for (const remove of [
      () => lockStaff(system, admin.staffId),
      () => changeStaffRole(system, admin.staffId, 'viewer'),
    ])
      await assert.rejects(remove, { message: deskTexts.staffLastAdministrator })
    assert.equal(await countAdministrators(), 1)
    await addStaff(system)
    await lockStaff(system, admin.staffId)
    assert.equal(await countAdministrators(), 1)
  })

  test('is refused if a colleague has changed the role since the page was opened', async () => {
    const { staffId, email } = await addStaff(system, { role: 'support' })
    const give = (role: string, seen: string) => post(`${staffId}/role`, { role, seen })
    assert.equal((await give('viewer', 'support')).status, 200)
    const answer = await give('compliance', 'support')
    assert.deepEqual([answer.status, answer.body.error], [409, deskTexts.recordChanged])
    assert.equal((await listed(email))?.role, 'viewer')
    assert.equal((await give('compliance', 'viewer')).status, 200)
  })

  test('is refused if it locks or demotes oneself', async () => {
    await addStaff(system)
    for (const [verb, body] of [['role', { role: 'viewer' }], ['lock'], ['end-sessions']] as const) {
      const answer = await post(`${admin.staffId}/${verb}`, body)
      assert.deepEqual([answer.status, answer.body.error], [409, deskTexts.staffSelf], verb)
    }
    assert.equal((await listed(admin.email))?.role, 'administrator')
  })

  test('is refused for a user of another workspace and for an unknown one', async () => {
    const otherStaff = await addStaff(other)
    for (const id of [otherStaff.staffId, newId()])
      for (const [verb, body] of [
        ['role', { role: 'viewer' }],
        ['lock'],
        ['unlock'],
        ['end-sessions'],
        ['resend-invitation'],
      ] as const)
        assert.equal((await post(`${id}/${verb}`, body)).status, 404, verb)
  })

  test('is refused to one of two administrators who remove each other concurrently', async () => {
    for (const verb of ['lock', 'role', 'lock', 'role', 'lock']) {
      await retireEverybody()
      const pair = await Promise.all([addStaff(system), addStaff(system)])
      const [left, right] = pair
      const [ofLeft, ofRight] = await Promise.all(pair.map(tokenOf))
      const answers = await Promise.all([
        caller.post(`/desk/api/staff/${right.staffId}/${verb}`, { role: 'viewer' }, ofLeft),
        second.post(`/desk/api/staff/${left.staffId}/${verb}`, { role: 'viewer' }, ofRight),
      ])
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ raw }) => raw).join('\n'))
      assert.equal(await countAdministrators(), 1)
    }
  })

  test('is refused to the last of several administrators who remove each other concurrently', async () => {
    const people = await Promise.all([addStaff(system), addStaff(system), addStaff(system)])
    const tokens = [token, ...(await Promise.all(people.map(tokenOf)))]
    const everybody = [admin, ...people]
    await Promise.all(
      tokens.flatMap((bearer, index) =>
        everybody
          .filter((_, position) => position !== index)
          .map(({ staffId }, turn) => (turn % 2 ? caller : second).post(`/desk/api/staff/${staffId}/lock`, {}, bearer)),
      ),
    )
    assert.equal(await countAdministrators(), 1)
  })
})

async function countAdministrators(): Promise<number> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('staff_users')
      .select('staff_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('role', '=', 'administrator')
      .where('status', '=', 'active')
      .execute(),
  )
  return rows.length
}

describe('an invitation', () => {
  const colleague = () => ({ name: 'Ivo Invited', email: `${newId()}@ivo.test`, role: 'support' })
  const password = 'Tidal-Gauge-71'
  const codeFor = async (email: string) =>
    linksIn((await mailsTo(system, email)).at(-1)?.text ?? '')
      .find((link) => link.includes('/desk/reset-password/'))
      ?.split('/')
      .at(-1) ?? ''
  const accept = (code: string) =>
    caller.post('/desk/api/reset-password/process', { code, password, password_confirmation: password })

  test('creates a user who can sign in only after the link sets a password, once', async () => {
    const person = colleague()
    const answer = await post('invite', person)
    assert.deepEqual([answer.status, (answer.body.staff as Listed).state], [200, 'invited'], answer.raw)
    const code = await codeFor(person.email)
    const check = await caller.post('/desk/api/reset-password/check-code', { code })
    assert.deepEqual([check.status, check.body.purpose], [200, 'invitation'])
    assert.equal((await caller.post('/desk/api/login', { email: person.email, password })).status, 401)
    assert.equal((await accept(code)).status, 200)
    await caller.signIn({ email: person.email, password }, 'desk')
    assert.deepEqual((await accept(code)).body.errors, { code: [texts.resetLinkInvalid] })
    assert.equal((await listed(person.email))?.state, 'active')
    const id = (await listed(person.email))?._id ?? ''
    for (const action of ['staff.invited', 'staff.joined']) assert.equal((await auditOf(id, action)).length, 1, action)
  })

  test('replaces the earlier one when sent again; is refused once the user has joined', async () => {
    const person = colleague()
    const id = ((await post('invite', person)).body.staff as Listed)._id
    const first = await codeFor(person.email)
    assert.equal((await post(`${id}/resend-invitation`)).status, 200)
    const newer = await codeFor(person.email)
    assert.notEqual(first, newer)
    assert.equal((await accept(first)).status, 422)
    assert.equal((await accept(newer)).status, 200)
    assert.equal((await post(`${id}/resend-invitation`)).status, 409)
  })

  test('is sent again five times in fifteen minutes, for one person', async () => {
    const [flooded, other] = [colleague(), colleague()]
    const id = ((await post('invite', flooded)).body.staff as Listed)._id
    const statuses: number[] = []
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await post(`${id}/resend-invitation`)).status)
    assert.deepEqual(statuses, [...Array(5).fill(200), 429])
    const calm = ((await post('invite', other)).body.staff as Listed)._id
    assert.equal((await post(`${calm}/resend-invitation`)).status, 200)
    made.context.clock.advance(15 * 60_000 + 1)
    assert.equal((await post(`${id}/resend-invitation`)).status, 200)
  })

  test('expires after three days, and is void while its user is locked', async () => {
    const [old, locked] = [colleague(), colleague()]
    await post('invite', old)
    made.context.clock.advance(3 * 24 * 3_600_000)
    token = await tokenOf(admin)
    assert.equal((await accept(await codeFor(old.email))).status, 422)
    const id = ((await post('invite', locked)).body.staff as Listed)._id
    await post(`${id}/lock`)
    assert.equal((await accept(await codeFor(locked.email))).status, 422)
    assert.equal(((await post(`${id}/unlock`)).body.staff as Listed).state, 'invited')
  })

  test('succeeds once for twenty concurrent uses', async () => {
    const person = colleague()
    await post('invite', person)
    const code = await codeFor(person.email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(code)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('refuses a taken email in its field, also when sent twice together', async () => {
    const person = colleague()
    const answers = await Promise.all([
      post('invite', person),
      post('invite', { ...person, email: person.email.toUpperCase() }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
    const refused = await post('invite', { ...colleague(), email: admin.email })
    assert.deepEqual(refused.body.errors, { email: [deskTexts.staffEmailTaken] })
    assert.equal((await mailsTo(system, person.email)).length, 1)
  })

  test('is refused when its sender loses the role while it is under way', async () => {
    const [blocker, watcher] = [await made.openOwner(), await made.openOwner()]
    await blocker.query('begin')
    await blocker.query(`update staff_users set role = 'viewer' where staff_id = $1`, [admin.staffId])
    const inviting = post('invite', colleague())
    await Promise.race([inviting, untilWaiting(watcher, 1)])
    await blocker.query('commit')
    assert.equal((await inviting).status, 403)
  })

  test('reports errors by field', async () => {
    const answer = await post('invite', { name: ' ', email: 'nobody', role: 'king' })
    assert.deepEqual(
      [answer.status, answer.body.errors],
      [422, { name: [texts.nameMissing], email: [texts.emailInvalid], role: [deskTexts.roleUnknown] }],
    )
    const long = await post('invite', { ...colleague(), email: `${'a'.repeat(39)}@example.com` })
    assert.deepEqual(long.body.errors, { email: ['Use at most 50 characters.'] }, 'with the actual reason')
  })

  test('sets staff passwords only, never a member’s', async () => {
    const person = colleague()
    await post('invite', person)
    const code = await codeFor(person.email)
    const body = { code, password, password_confirmation: password }
    assert.equal((await caller.post('/members/reset-password/check-code', { code })).status, 422)
    assert.equal((await caller.post('/members/reset-password/process', body)).status, 422)
    assert.equal((await accept(code)).status, 200)
  })
})

describe('staff permissions', () => {
  const calls = Object.values(deskStaff).filter(
    (value): value is Call & typeof value => typeof value === 'object' && 'path' in value,
  )
  const guarded = calls.filter(({ access }) => access === 'staff')

  test('each call accepts only the roles with its permission', async () => {
    assert.equal(guarded.length, 13)
    const member = await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
    const otherStaff = await openTestSession(other, { kind: 'staff', id: (await addStaff(other)).staffId })
    for (const role of staffRoles) {
      const bearer = await tokenOf(await addStaff(system, { role }))
      for (const call of guarded) {
        const path = call.path.replace(':id', newId())
        const send = (with_?: string) =>
          call.method === 'GET' ? caller.get(path, with_) : caller.post(path, {}, with_)
        const { status } = await send(bearer)
        // Independent of the table of permissions, which this test checks.
        const isAllowed = call.right === 'desk.use' || role === 'administrator'
        assert.equal(status === 403, !isAllowed, `${role} ${call.method} ${path} answered ${status}`)
        for (const nobody of [undefined, member.token, otherStaff.token])
          assert.equal((await send(nobody)).status, 401, `${call.method} ${path}`)
      }
    }
  })
})
