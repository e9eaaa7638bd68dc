// spec: OP factors
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { openAppFixture } from '../../../tests/fixtures/app-fixture.ts'
import { type Caller, retryWhileBusy } from '../../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../../tests/fixtures/context.ts'
import {
  addSomebody,
  enrolPasskey,
  enrolTotp,
  securityPath,
  showSecurity,
} from '../../../tests/fixtures/second-factors.ts'
import { addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'

const minute = 60_000

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let origin: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  origin = `http://localhost:${made.context.config.port}`
})
after(() => close())
beforeEach(() => made.context.clock.advance(15 * minute + 1))

const somebody = () => addSomebody(caller, system, 'portal')
const show = (token: string) => showSecurity(caller, token, 'portal')
describe('a proof of identity', () => {
  const prove = (body: object, token: string) => caller.post(securityPath('portal', '/prove'), body, token)

  test('is the password for a person without a second factor, and lasts fifteen minutes', async () => {
    const person = await somebody()
    const startsAt = made.context.clock.now().getTime()
    assert.equal((await show(person.token)).proven_until, startsAt + 15 * minute)
    made.context.clock.advance(15 * minute)
    assert.ok((await show(person.token)).proven_until)
    made.context.clock.advance(1)
    assert.deepEqual(
      [(await show(person.token)).proven_until, (await show(person.token)).proof_methods],
      [null, ['password']],
    )
    const wrong = await prove({ password: 'Wrong-2026' }, person.token)
    assert.deepEqual([wrong.status, wrong.body.errors], [422, { password: [texts.currentPasswordWrong] }])
    assert.equal((await prove({ password: person.password }, person.token)).status, 200)
    await enrolTotp(caller, made.context, person.token)
  })

  test('is never the password alone for a person with a second factor', async () => {
    const person = await somebody()
    const { code } = await enrolTotp(caller, made.context, person.token)
    made.context.clock.advance(16 * minute)
    const answer = await prove({ password: person.password }, person.token)
    assert.deepEqual([answer.status, answer.body.errors], [422, { password: [sessionTexts.proofByFactor] }])
    const right = code()
    assert.equal((await prove({ code: right }, person.token)).status, 200)
    assert.equal((await prove({ code: right }, person.token)).status, 422)
  })

  test('answers this session’s challenge once when given by passkey', async () => {
    const person = await somebody()
    const { authenticator } = await enrolPasskey(caller, { token: person.token, origin })
    made.context.clock.advance(16 * minute)
    const ask = async () => (await caller.post(securityPath('portal', '/prove/start'), {}, person.token)).body.passkey
    const passkey = authenticator.sign(await ask())
    assert.equal((await prove({ passkey }, person.token)).status, 200)
    assert.equal((await prove({ passkey }, person.token)).status, 422)
    assert.ok((await show(person.token)).passkeys[0]?.last_used_at)
  })

  test('is limited to ten attempts in fifteen minutes, apart from sign-in', async () => {
    const person = await somebody()
    const tries = Array.from({ length: 15 }, () =>
      retryWhileBusy(() => prove({ password: 'Wrong-2026' }, person.token)),
    )
    const answers = await Promise.all(tries)
    assert.equal(answers.filter(({ status }) => status === 422).length, 10)
    assert.equal(answers.filter(({ status }) => status === 429).length, 5)
    await caller.signIn(person)
  })

  test('is invalid while it lies in the future, as after a clock is set back', async () => {
    const person = await somebody()
    const now = made.context.clock.now()
    made.context.clock.set(new Date(now.getTime() - 10 * minute))
    assert.equal((await show(person.token)).proven_until, null)
    made.context.clock.set(now)
  })

  test('applies to its own session only', async () => {
    const person = await somebody()
    made.context.clock.advance(16 * minute)
    const fresh = await caller.signIn(person)
    assert.ok((await show(fresh)).proven_until)
    assert.equal((await show(person.token)).proven_until, null)
  })
})
