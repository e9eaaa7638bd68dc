// spec: DK session, OP factors
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openTwoApps } from '../../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../../tests/fixtures/context.ts'
import { mailsTo } from '../../../tests/fixtures/mailbox.ts'
import { here } from '../../../tests/fixtures/on-this-machine.ts'
import {
  type App,
  addEnrolled,
  type Enrolled,
  enrolPasskey,
  enterFactor,
  enterPassword,
  totpStepMs,
} from '../../../tests/fixtures/second-factors.ts'
import { addMember, addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let caller: Caller
let second: Caller
/** The brokerage's own address, the relying party of passkeys. */
let origin: string

before(async () => {
  ;({ made, app, caller, second, close } = await openTwoApps())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  await addWorkspace(made.context, { subdomain: 'elsewhere' })
  origin = `http://localhost:${made.context.config.port}`
})
after(() => close())
/** Rate limits of earlier tests have expired. */
beforeEach(() => made.context.clock.advance(15 * 60_000 + 1))

const step = totpStepMs
/** A person with an authenticator app, whose last code was accepted a while ago. */
const enrolled = (at: App = 'portal') => addEnrolled({ caller, system, context: made.context }, at)
/** In sequence: more than ten concurrent passwords are refused without a check. */
async function enterPasswords(count: number, { person }: Enrolled, at: App = 'portal') {
  const questions = []
  for (let entered = 0; entered < count; entered++) questions.push(await enterPassword(caller, person, at))
  return questions
}

function countSessions({ id }: Enrolled): Promise<number> {
  return reading(system, async (tx) => {
    const rows = await tx
      .selectFrom('sessions')
      .select('session_id')
      .where('workspace_id', '=', system.workspaceId)
      .where((is) => is.or([is('member_id', '=', id), is('staff_id', '=', id)]))
      .execute()
    return rows.length
  })
}

const codeWrong = [422, { code: [texts.codeWrong] }]
const expired = [401, 'sign_in_failed', sessionTexts.secondFactorExpired]

for (const at of ['portal', 'desk'] as const) {
  const signInAt = at === 'portal' ? '/members/login' : '/desk/api/login'
  const home = at === 'portal' ? '/user/permissions' : '/desk/api/me'

  describe(`a sign-in with a second factor at the ${at}`, () => {
    test('returns a challenge instead of a session: no token, no cookie, no row', async () => {
      const target = await enrolled(at)
      const before = await countSessions(target)
      const answer = await caller.post(signInAt, target.person)
      assert.equal(answer.status, 200)
      assert.deepEqual(Object.keys(answer.body).sort(), ['second_factor', 'status'])
      assert.equal(answer.headers['set-cookie'], undefined)
      assert.equal(await countSessions(target), before)
      const { challenge, expires_at, methods } = answer.body.second_factor as Record<string, unknown>
      assert.ok(Buffer.from(String(challenge), 'base64url').length >= 32)
      assert.equal(expires_at, made.context.clock.now().getTime() + 5 * 60_000)
      assert.deepEqual(methods, ['code', 'recovery_code'])
      assert.equal((await caller.get(home, String(challenge))).status, 401)
    })

    test('opens with the app’s code, sets the cookie and writes the audit log', async () => {
      const target = await enrolled(at)
      const { challenge } = await enterPassword(caller, target.person, at)
      const answer = await enterFactor(caller, challenge, { code: target.code() }, at)
      assert.equal(answer.status, 200, answer.raw)
      assert.equal((answer.body.user as { _id: string })._id, target.id)
      assert.match(String(answer.headers['set-cookie']), /HttpOnly/)
      assert.equal((await caller.get(home, String(answer.body.token))).status, 200)
      assert.deepEqual(await auditActions(target.id), ['session.opened', 'second-factor.asked', 'session.opened'])
    })

    test('accepts a code one step off, none further, and none twice, even replayed 20 times', async () => {
      const target = await enrolled(at)
      const statuses: number[] = []
      for (const offset of [-2 * step, 2 * step, -step]) {
        const { challenge } = await enterPassword(caller, target.person, at)
        statuses.push((await enterFactor(caller, challenge, { code: target.code(offset) }, at)).status)
      }
      assert.deepEqual(statuses, [422, 422, 200])
      for (let round = 0; round < 20; round++) {
        const { challenge } = await enterPassword(caller, target.person, at)
        const replay = await enterFactor(caller, challenge, { code: target.code(-step) }, at)
        assert.ok([422, 429].includes(replay.status))
      }
      assert.equal(await countSessions(target), 2)
    })

    test('opens exactly one session for 20 concurrent uses of a code over two processes', async () => {
      const target = await enrolled(at)
      const questions = await enterPasswords(20, target, at)
      const answers = await Promise.all(
        questions.map(({ challenge }, index) =>
          enterFactor(index % 2 ? caller : second, challenge, { code: target.code() }, at),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.ok(answers.every(({ status }) => [200, 422, 429].includes(status)))
      assert.equal(await countSessions(target), 2)
    })
  })
}

async function auditActions(subjectId: string): Promise<string[]> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('action')
      .where('workspace_id', '=', system.workspaceId)
      .where('subject_id', '=', subjectId)
      .orderBy('audit_id')
      .execute(),
  )
  return rows.map(({ action }) => action).filter((action) => action !== 'member.added')
}

describe('a second-factor challenge', () => {
  test('opens one session for five right concurrent answers', async () => {
    const target = await enrolled()
    const { challenge } = await enterPassword(caller, target.person)
    const factors = [{ code: target.code() }, ...target.codes.slice(0, 4).map((code) => ({ recovery_code: code }))]
    const answers = await Promise.all(
      factors.map((factor, index) => enterFactor(index % 2 ? caller : second, challenge, factor)),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(await countSessions(target), 2)
    const late = await enterFactor(caller, challenge, { code: target.code(step) })
    assert.deepEqual([late.status, late.body.code, late.body.error], expired)
  })

  test('survives one wrong code, but not six', async () => {
    const target = await enrolled()
    const { challenge } = await enterPassword(caller, target.person)
    const slip = await enterFactor(caller, challenge, { code: '000000' })
    assert.deepEqual([slip.status, slip.body.errors], codeWrong)
    assert.equal((await enterFactor(caller, challenge, { code: target.code() })).status, 200)
    const { challenge: next } = await enterPassword(caller, target.person)
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await enterFactor(caller, next, { code: '000000' })).status)
    assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
  })

  test('expires after five minutes', async () => {
    const target = await enrolled()
    const { challenge } = await enterPassword(caller, target.person)
    made.context.clock.advance(5 * 60_000)
    const answer = await enterFactor(caller, challenge, { code: target.code() })
    assert.deepEqual([answer.status, answer.body.code, answer.body.error], expired)
  })

  test('belongs to one person, one sign-in and one workspace', async () => {
    const [mine, theirs] = [await enrolled(), await enrolled()]
    const { challenge } = await enterPassword(caller, mine.person)
    assert.equal((await enterFactor(caller, challenge, { code: theirs.code() })).status, 422)
    assert.equal((await enterFactor(caller, challenge, { recovery_code: theirs.codes[0] })).status, 422)
    for (const answer of [
      await enterFactor(caller, challenge, { code: mine.code() }, 'desk'),
      await enterFactor(callerOf(app, 'elsewhere.localhost'), challenge, { code: mine.code() }),
      await enterFactor(caller, 'x'.repeat(43), { code: mine.code() }),
    ])
      assert.deepEqual([answer.status, answer.body.code, answer.body.error], expired)
    assert.equal((await enterFactor(caller, challenge, { code: mine.code() })).status, 200)
  })

  test('ends when the password changes, and when the member is locked', async () => {
    const target = await enrolled()
    for (const change of [{ password_hash: 'another' }, { status: 'locked' }]) {
      const { challenge } = await enterPassword(caller, target.person)
      const before = await inTransaction(system, async (tx) => {
        const where = tx.selectFrom('members').where(here).select(['password_hash', 'status'])
        const row = await where.where('member_id', '=', target.id).executeTakeFirstOrThrow()
        await tx.updateTable('members').where(here).set(change).where('member_id', '=', target.id).execute()
        return row
      })
      const answer = await enterFactor(caller, challenge, { code: target.code() })
      assert.deepEqual([answer.status, answer.body.code, answer.body.error], expired)
      await inTransaction(system, (tx) =>
        tx.updateTable('members').where(here).set(before).where('member_id', '=', target.id).execute(),
      )
    }
  })

  test('is stored as a hash, and refuses malformed bodies', async () => {
    const target = await enrolled()
    const { challenge } = await enterPassword(caller, target.person)
    const dump = await reading(system, (tx) => tx.selectFrom('sign_in_challenges').where(here).selectAll().execute())
    assert.ok(dump.length > 0 && !JSON.stringify(dump).includes(challenge))
    for (const body of [{}, { code: '12' }, { code: target.code(), recovery_code: target.codes[0] }]) {
      assert.equal((await enterFactor(caller, challenge, body)).status, 422)
    }
  })
})

describe('a wrong password', () => {
  test('gets the same answer with a second factor, without one, and for an unknown email', async () => {
    const target = await enrolled()
    const plain = await addMember(system)
    const answers = []
    for (const email of [target.person.email, plain.email, 'nobody@harbour.test']) {
      const { status, body, headers } = await caller.post('/members/login', { email, password: 'Wrong-2026' })
      const { date: _, 'x-request-id': __, ...rest } = headers
      answers.push({ status, body: { ...body, request_id: '' }, rest: { ...rest, 'content-length': '' } })
    }
    assert.deepEqual(answers[0], answers[1])
    assert.deepEqual(answers[1], answers[2])
  })
})

describe('a recovery code', () => {
  test('opens one session in any notation, and its owner gets a mail', async () => {
    const target = await enrolled()
    const [first = ''] = target.codes
    assert.match(first, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    const { challenge } = await enterPassword(caller, target.person)
    const typed = first.toLowerCase().replaceAll('-', ' ')
    assert.equal((await enterFactor(caller, challenge, { recovery_code: typed })).status, 200)
    const next = await enterPassword(caller, target.person)
    const again = await enterFactor(caller, next.challenge, { recovery_code: first })
    assert.deepEqual([again.status, again.body.errors], [422, { recovery_code: [texts.recoveryCodeWrong] }])
    const mail = (await mailsTo(system, target.person.email)).find(({ subject }) =>
      /recovery code was used/.test(subject),
    )
    assert.match(mail?.text ?? '', /9 codes are left/)
    assert.ok(!mail?.text.includes(first))
  })

  test('opens exactly one session for 20 concurrent uses', async () => {
    const target = await enrolled()
    const questions = await enterPasswords(20, target)
    const answers = await Promise.all(
      questions.map(({ challenge }, index) =>
        enterFactor(index % 2 ? caller : second, challenge, { recovery_code: target.codes[1] }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })
})

describe('a passkey as second factor', () => {
  async function withPasskey() {
    const member = await addMember(system)
    const token = await caller.signIn(member)
    const { authenticator } = await enrolPasskey(caller, { token, origin })
    return { member, token, authenticator }
  }

  test('opens a session by its signature, once', async () => {
    const { member, authenticator } = await withPasskey()
    const question = await enterPassword(caller, member)
    assert.deepEqual(question.methods, ['passkey', 'recovery_code'])
    const passkey = authenticator.sign(question.passkey)
    assert.equal((await enterFactor(caller, question.challenge, { passkey })).status, 200)
    const next = await enterPassword(caller, member)
    assert.equal((await enterFactor(caller, next.challenge, { passkey })).status, 422)
  })

  test('is refused with another site, challenge, key or counter, and without user verification', async () => {
    const { member, authenticator } = await withPasskey()
    const otherMember = await withPasskey()
    const first = await enterPassword(caller, member)
    const signed = authenticator.sign(first.passkey, { counter: 7 })
    assert.equal((await enterFactor(caller, first.challenge, { passkey: signed })).status, 200)
    for (const tampering of [
      { origin: 'http://elsewhere.localhost:8080' },
      { rpId: 'evil.test' },
      { challenge: 'AAAA' },
      { counter: 7 },
      { counter: 3 },
      { isVerified: false },
    ]) {
      const question = await enterPassword(caller, member)
      const passkey = authenticator.sign(question.passkey, { counter: 100, ...tampering })
      const answer = await enterFactor(caller, question.challenge, { passkey })
      assert.deepEqual(
        [answer.status, answer.body.errors],
        [422, { passkey: [sessionTexts.passkeyWrong] }],
        JSON.stringify(tampering),
      )
    }
    const question = await enterPassword(caller, member)
    for (const passkey of [
      otherMember.authenticator.sign(question.passkey),
      { ...otherMember.authenticator.sign(question.passkey), id: authenticator.id, rawId: authenticator.id },
      {
        ...authenticator.sign(question.passkey),
        response: { clientDataJSON: 'x', authenticatorData: 'y', signature: 'z' },
      },
    ])
      assert.equal((await enterFactor(caller, question.challenge, { passkey })).status, 422)
  })
})
