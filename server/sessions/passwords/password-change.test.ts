// spec: MP 7, AO 7
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { openTwoApps } from '../../../tests/fixtures/app-fixture.ts'
import { type Answered, type Caller, retryWhileBusy } from '../../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../../tests/fixtures/context.ts'
import { mailsTo } from '../../../tests/fixtures/mailbox.ts'
import { addMember, addWorkspace, type MadeMember, testPassword } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'
import { reading } from '../../foundation/database/database.ts'

const newPassword = 'Tidal-Gauge-71'
const minute = 60_000

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let second: Caller
let member: MadeMember

before(async () => {
  ;({ made, caller, second, close } = await openTwoApps())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
})
after(() => close())
beforeEach(async () => {
  made.context.clock.advance(15 * minute + 1)
  member = await addMember(system)
})

type Change = {
  current_password?: string
  password?: string
  password_confirmation?: string
  _id?: string
  model?: string
}

function change(
  token: string,
  body: Change = {},
  { path = '/members/change-password', by = caller } = {},
): Promise<Answered> {
  const password = body.password ?? newPassword
  return by.post(path, { password, password_confirmation: password, ...body }, token)
}

async function oldSession(): Promise<string> {
  const token = await caller.signIn(member)
  made.context.clock.advance(15 * minute + 1)
  return token
}

describe('a change of password', () => {
  for (const path of ['/members/change-password', '/users/change-password']) {
    test(`${path} with the current password ends other sessions, keeps this one, mails and audits`, async () => {
      const token = await oldSession()
      const others = [await caller.signIn(member), await second.signIn(member)]
      const answer = await change(
        token,
        { current_password: testPassword, _id: 'somebody-else', model: 'staff' },
        { path },
      )
      assert.deepEqual([answer.status, answer.body], [200, { status: 'ok', msg: [sessionTexts.passwordChanged] }])
      for (const other of others) assert.equal((await second.get('/user/permissions', other)).status, 401)
      assert.equal((await caller.get('/user/permissions', token)).status, 200)
      assert.equal((await caller.post('/members/login', member)).status, 401)
      await caller.signIn({ ...member, password: newPassword })
      const mails = await mailsTo(system, member.email)
      assert.equal(mails.filter(({ subject }) => subject === 'Your password was changed').length, 1)
      const written = await reading(system, (tx) =>
        tx
          .selectFrom('audit_log')
          .select(['actor_kind', 'before', 'after'])
          .where('workspace_id', '=', system.workspaceId)
          .where('subject_id', '=', member.memberId)
          .where('action', '=', 'password.changed')
          .execute(),
      )
      assert.deepEqual(written, [{ actor_kind: 'member', before: null, after: null }])
    })
  }

  test('requires the current password, unless the sign-in is at most fifteen minutes old', async () => {
    const token = await caller.signIn(member)
    made.context.clock.advance(15 * minute)
    assert.equal((await change(token)).status, 200)
    made.context.clock.advance(1)
    const answer = await change(token, { password: 'Tidal-Gauge-72' })
    assert.deepEqual([answer.status, answer.body.errors], [422, { current_password: [texts.currentPasswordMissing] }])
    await caller.signIn({ ...member, password: newPassword })
  })

  test('refuses a wrong current password even after a fresh sign-in', async () => {
    const token = await caller.signIn(member)
    const answer = await change(token, { current_password: 'Wrong-2026' })
    assert.deepEqual([answer.status, answer.body.errors], [422, { current_password: [texts.currentPasswordWrong] }])
    await caller.signIn(member)
  })

  test('refuses a weak, common, overlong or unchanged password', async () => {
    const token = await caller.signIn(member)
    for (const [password, error] of [
      ['Short-1', texts.passwordTooShort],
      ['no-uppercase-1', texts.passwordUppercase],
      ['No-Digit-Here', texts.passwordDigit],
      ['Summer2026!', sessionTexts.passwordCommon],
      [`A1${'x'.repeat(19)}`, 'Use at most 20 characters.'],
      [testPassword, sessionTexts.passwordUnchanged],
    ] as const) {
      const answer = await change(token, { password, current_password: testPassword })
      assert.deepEqual([answer.status, answer.body.errors], [422, { password: [error] }], password)
    }
    const unlike = await change(token, { password_confirmation: 'Tidal-Gauge-72' })
    assert.deepEqual(unlike.body.errors, { password_confirmation: [texts.passwordConfirmation] })
  })

  test('does not reveal the current password by calling a guess unchanged', async () => {
    const token = await caller.signIn(member)
    assert.equal((await change(token, { password: testPassword })).status, 200)
  })

  test('checks at most ten of a hundred concurrent wrong passwords, and sign-in still works', async () => {
    const token = await caller.signIn(member)
    const tries = Array.from({ length: 100 }, (_, index) =>
      retryWhileBusy(() => change(token, { current_password: `Wrong-${index}` }, { by: index % 2 ? caller : second })),
    )
    const answers = await Promise.all(tries)
    assert.ok(answers.filter(({ status }) => status === 422).length <= 10)
    assert.ok(answers.every(({ status }) => status === 422 || status === 429))
    const right = await change(token, { current_password: testPassword })
    assert.equal(right.status, 429)
    assert.ok(Number(right.headers['retry-after']) <= 15 * minute)
    await caller.signIn(member)
    assert.equal((await caller.get('/user/permissions', token)).status, 200)
    made.context.clock.advance(15 * minute)
    assert.equal((await change(token, { current_password: testPassword })).status, 200)
  })

  test('applies one of several concurrent changes', async () => {
    const token = await caller.signIn(member)
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        change(token, { current_password: testPassword, password: `Tidal-Gauge-7${index}` }),
      ),
    )
    const won = answers.findIndex(({ status }) => status === 200)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    await caller.signIn({ ...member, password: `Tidal-Gauge-7${won}` })
  })

  test('leaves no session opened concurrently with the old password', async () => {
    for (let round = 0; round < 5; round++) {
      const target = await addMember(system)
      const token = await caller.signIn(target)
      const signIns = Array.from({ length: 4 }, () => second.post('/members/login', target))
      const changed = await change(token)
      assert.equal(changed.status, 200)
      for (const { status, body } of await Promise.all(signIns)) {
        if (status !== 200) continue
        assert.equal((await caller.get('/user/permissions', String(body.token))).status, 401)
      }
    }
  })

  test('requires a member’s session', async () => {
    assert.equal((await caller.post('/members/change-password', { password: newPassword })).status, 401)
  })
})
