// spec: DK session, OP factors
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTwoApps } from '../../../tests/fixtures/app-fixture.ts'
import type { Answered, Caller } from '../../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../../tests/fixtures/context.ts'
import {
  addEnrolled,
  type Enrolled,
  enrolTotp,
  enterFactor,
  enterPassword,
  totpStepMs,
} from '../../../tests/fixtures/second-factors.ts'
import { addMember, addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let second: Caller

before(async () => {
  ;({ made, caller, second, close } = await openTwoApps())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
})
after(() => close())
/** Rate limits of earlier tests have expired. */
beforeEach(() => made.context.clock.advance(15 * 60_000 + 1))

const step = totpStepMs
const enrolled = () => addEnrolled({ caller, system, context: made.context }, 'portal')
/** In sequence: more than ten concurrent passwords are refused without a check. */
async function enterPasswords(count: number, { person }: Enrolled) {
  const questions = []
  for (let entered = 0; entered < count; entered++) questions.push(await enterPassword(caller, person))
  return questions
}

describe('guessing a second factor', () => {
  test('is limited to ten codes in fifteen minutes across challenges and processes', async () => {
    const target = await enrolled()
    const questions = await enterPasswords(12, target)
    const tries = questions.flatMap(({ challenge }, index) =>
      ['111111', '222222', '333333'].map((code) => enterFactor(index % 2 ? caller : second, challenge, { code })),
    )
    const answers = await Promise.all(tries)
    assert.equal(answers.filter(({ status }) => status === 422).length, 10)
    assert.equal(answers.filter(({ status }) => status === 429).length, 26)
    const owner = await enterPassword(caller, target.person)
    assert.equal((await enterFactor(caller, owner.challenge, { recovery_code: target.codes[0] })).status, 200)
    made.context.clock.advance(15 * 60_000)
    const again = await enterPassword(caller, target.person)
    assert.equal((await enterFactor(caller, again.challenge, { code: target.code() })).status, 200)
  })
})

test('attempts with invented challenges are limited by network, and keep nobody there from their second factor', async () => {
  const target = await enrolled()
  const { challenge } = await enterPassword(caller, target.person)
  const statuses: number[] = []
  for (let count = 0; count < 61; count++)
    statuses.push((await enterFactor(caller, 'x'.repeat(43), { code: '000000' })).status)
  assert.deepEqual([statuses[0], statuses[59], statuses[60]], [401, 401, 429])
  assert.equal((await enterFactor(caller, challenge, { code: target.code() })).status, 200)
})

describe('somebody who knows the password and has no second factor', () => {
  /** The owner's browser, which has signed in before. */
  const browserOf = async (target: Enrolled) => {
    const { challenge } = await enterPassword(caller, target.person)
    let cookie = cookieOf(await enterFactor(caller, challenge, { code: target.code() }))
    made.context.clock.advance(2 * step)
    return {
      async post(path: string, payload?: unknown) {
        const answer = await caller.send({ method: 'POST', url: path, payload: payload as object, headers: { cookie } })
        cookie = cookieOf(answer) || cookie
        return answer
      },
    }
  }
  const cookieOf = ({ headers }: Answered) =>
    /atrium_device=[\w-]{43}/.exec([headers['set-cookie']].flat().map(String).join(';'))?.[0] ?? ''
  const password = ({ person }: Enrolled) => caller.post('/members/login', person)

  test('does not keep the owner out by right passwords: a known browser has its own share, and no more', async () => {
    const target = await enrolled()
    const browser = await browserOf(target)
    const statuses: number[] = []
    for (let count = 0; count < 32; count++) statuses.push((await password(target)).status)
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429])
    const owners: number[] = []
    for (let count = 0; count < 32; count++) owners.push((await browser.post('/members/login', target.person)).status)
    assert.deepEqual([owners[0], owners.filter((status) => status === 200).length], [200, 30])
  })

  test('does not keep the owner out by wrong codes, and has no more of them', async () => {
    const target = await enrolled()
    const browser = await browserOf(target)
    const statuses: number[] = []
    for (const { challenge } of await enterPasswords(12, target))
      statuses.push((await enterFactor(caller, challenge, { code: '000000' })).status)
    assert.deepEqual([statuses.filter((status) => status === 422).length, statuses.at(-1)], [10, 429])
    const { challenge } = await enterPassword(browser, target.person)
    assert.equal((await enterFactor(browser, challenge, { code: target.code() })).status, 200)
    const again = await enterPassword(caller, target.person)
    assert.equal((await enterFactor(caller, again.challenge, { code: '000000' })).status, 429)
  })

  test('has no share by a browser that signed in before the second factor, unlike the owner’s', async () => {
    const person = await addMember(system)
    const signIn = (cookie = '') =>
      caller.send({ method: 'POST', url: '/members/login', payload: person, headers: { cookie } })
    const intruders = cookieOf(await signIn())
    made.context.clock.advance(1_000)
    const owners = await signIn()
    await enrolTotp(caller, made.context, String(owners.body.token))
    for (let count = 0; count < 30; count++) await signIn(intruders)
    assert.deepEqual([(await signIn(intruders)).status, (await signIn(cookieOf(owners))).status], [429, 200])
  })

  test('has no share by a browser that another person has signed in with', async () => {
    const [target, other] = [await enrolled(), await enrolled()]
    const theirs = await browserOf(other)
    for (let count = 0; count < 30; count++) await password(target)
    assert.equal((await theirs.post('/members/login', target.person)).status, 429)
    assert.equal((await theirs.post('/members/login', other.person)).status, 200)
  })
})
