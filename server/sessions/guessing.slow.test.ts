import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Answered, type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { countEvaluations } from '../../tests/fixtures/evaluations.ts'
import { answerResetRequests, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addMember, addStaff, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { networkOf } from '../foundation/rate-limit.ts'

const quarterHour = 15 * 60_000
const day = 24 * 3_600_000
const attackerNetwork = '198.51.100.1'
const ownersNetwork = '203.0.113.1'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller
let stopCounting: () => void
/** When each password was checked, which the limits count, whatever the answer. */
let evaluated: number[] = []

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
  stopCounting = countEvaluations(() => void evaluated.push(made.context.clock.now().getTime()))
})
after(async () => {
  stopCounting()
  await app.close()
  await made.close()
})
beforeEach(() => {
  made.context.clock.advance(day)
  evaluated = []
})

type Try = { email: string; password?: string; from?: string; headers?: Record<string, string>; at?: 'portal' | 'desk' }

function tryToSignIn({ email, password = 'Wrong-2026', from, headers, at = 'portal' }: Try): Promise<Answered> {
  const url = at === 'portal' ? '/members/login' : '/desk/api/login'
  const sent: InjectOptions = { method: 'POST', url, payload: { email, password }, headers: headers ?? {} }
  return caller.send({ ...sent, remoteAddress: from ?? attackerNetwork })
}

async function inBatches(tries: Try[]): Promise<Answered[]> {
  const answers: Answered[] = []
  for (let next = 0; next < tries.length; next += 50) {
    answers.push(...(await Promise.all(tries.slice(next, next + 50).map(tryToSignIn))))
  }
  return answers
}

const spoofed = (index: number) => {
  const address = `10.${index % 5}.${index % 100}.7`
  return { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address, 'true-client-ip': address }
}

/** The maximum within any period of this length. */
function mostWithin(moments: number[], lengthMs: number): number {
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + lengthMs).length))
}

/** The device cookie that the browser stores after a sign-in. */
function deviceCookieOf(answer: Answered): { cookie: string } {
  const stored = [answer.headers['set-cookie']].flat().map(String)
  return {
    cookie: /^atrium_device=[\w-]{43}/.exec(stored.find((each) => each.startsWith('atrium_device')) ?? '')?.[0] ?? '',
  }
}

describe('two thousand guesses at one account', () => {
  test('are checked at most ten times in 15 minutes behind 500 forged addresses, and the owner signs in every time', async () => {
    const owner = await addMember(system)
    let browser = deviceCookieOf(await tryToSignIn({ ...owner, from: ownersNetwork }))
    for (let round = 0; round < 10; round++) {
      const live = await caller.signIn(owner)
      evaluated = []
      const guesses = Array.from({ length: 200 }, (_, index) => ({
        email: owner.email,
        headers: spoofed(round * 50 + (index % 50)),
      }))
      const answers = await inBatches(guesses)
      assert.ok(answers.every(({ status }) => [401, 429, 503].includes(status)))
      assert.ok(evaluated.length <= 10 && (round > 5 || evaluated.length > 0), String(evaluated.length))
      assert.equal((await caller.get('/user/permissions', live)).status, 200)
      const atOnce = await tryToSignIn({ ...owner, from: attackerNetwork, headers: browser })
      assert.equal(atOnce.status, 200, 'in a known browser, immediately')
      browser = deviceCookieOf(atOnce)
      assert.equal(
        (await tryToSignIn({ ...owner, from: ownersNetwork })).status,
        200,
        'in a new browser, from another network',
      )
      made.context.clock.advance(quarterHour)
    }
  })

  test('are checked ten times in any 15 minutes and a hundred times in any day from hundreds of networks', async () => {
    const owner = await addMember(system)
    let browser = deviceCookieOf(await tryToSignIn({ ...owner, from: ownersNetwork }))
    const guessed: number[] = []
    for (let count = 0; count < 26 * 5; count++) {
      evaluated = []
      const guesses = Array.from({ length: 8 }, (_, index) => ({
        email: owner.email,
        from: `198.51.${count}.${index}`,
        headers: spoofed(index),
      }))
      await inBatches(guesses)
      guessed.push(...evaluated)
      if (count % 10 === 0) {
        const back = await tryToSignIn({ ...owner, from: ownersNetwork, headers: browser })
        assert.equal(back.status, 200, 'the owner, in a known browser')
        browser = deviceCookieOf(back)
      }
      made.context.clock.advance(12 * 60_000)
    }
    assert.ok(guessed.length > 100)
    assert.ok(mostWithin(guessed, quarterHour) <= 10, String(mostWithin(guessed, quarterHour)))
    assert.ok(mostWithin(guessed, day) <= 100, String(mostWithin(guessed, day)))
  })

  test('gain nothing by waiting for the end of a window', async () => {
    const { email } = await addMember(system)
    const from = (index: number) => `198.51.100.${index}`
    await tryToSignIn({ email, from: from(0) })
    made.context.clock.advance(quarterHour - 1_000)
    for (let index = 0; index < 30; index++) await tryToSignIn({ email, from: from(index) })
    made.context.clock.advance(1_000)
    for (let index = 0; index < 30; index++) await tryToSignIn({ email, from: from(index) })
    assert.equal(mostWithin(evaluated, quarterHour), 10)
  })

  test('leave the owner of a new browser the reset link, once the day’s limit is used up', async () => {
    const owner = await addMember(system)
    for (let round = 0; round < 12; round++) {
      await inBatches(
        Array.from({ length: 20 }, (_, index) => ({ email: owner.email, from: `198.51.${round}.${index}` })),
      )
      made.context.clock.advance(quarterHour)
    }
    const ownerWithoutCookie = { ...owner, from: ownersNetwork }
    assert.equal((await tryToSignIn(ownerWithoutCookie)).status, 429)
    await caller.post('/members/reset-password/request', { email: owner.email })
    await answerResetRequests(system)
    const text = (await mailsTo(system, owner.email)).find(({ subject }) => subject === 'Set a new password')?.text
    const password = 'Tidal-Gauge-71'
    const reset = await caller.post('/members/reset-password/process', {
      code: /\/reset-password\/([\w-]+)/.exec(text ?? '')?.[1],
      password,
      password_confirmation: password,
    })
    assert.equal(reset.status, 200, reset.raw)
    assert.equal((await tryToSignIn({ ...ownerWithoutCookie, password, headers: deviceCookieOf(reset) })).status, 200)
    assert.equal((await tryToSignIn({ ...ownerWithoutCookie, password })).status, 429)
  })
})

describe('a known browser', () => {
  test('has ten attempts of its own in 15 minutes', async () => {
    const owner = await addMember(system)
    const headers = deviceCookieOf(await tryToSignIn(owner))
    evaluated = []
    await inBatches(Array.from({ length: 40 }, () => ({ email: owner.email, headers })))
    assert.equal(evaluated.length, 10)
    assert.equal((await tryToSignIn({ ...owner, from: ownersNetwork })).status, 200)
  })

  test('gets a new key at each sign-in, which alone authorizes nothing', async () => {
    const owner = await addMember(system)
    const first = deviceCookieOf(await tryToSignIn(owner))
    const second = deviceCookieOf(await tryToSignIn({ ...owner, headers: first }))
    assert.notEqual(first.cookie, second.cookie)
    assert.equal((await caller.send({ method: 'GET', url: '/user/permissions', headers: second })).status, 401)
    const key = second.cookie.split('=')[1]
    assert.equal((await caller.get('/user/permissions', key)).status, 401)
    await inBatches(Array.from({ length: 20 }, () => ({ email: owner.email })))
    assert.equal((await tryToSignIn({ ...owner, headers: first })).status, 429)
    assert.equal((await tryToSignIn({ ...owner, headers: second })).status, 200)
  })

  test('is unknown to other members, the desk and other brokerages, and after a new password', async () => {
    const [owner, other] = [await addMember(system), await addMember(system)]
    const staff = await addStaff(system)
    const signedIn = await tryToSignIn(owner)
    const headers = deviceCookieOf(signedIn)
    for (const guess of [{ email: other.email }, { email: staff.email, at: 'desk' as const }]) {
      evaluated = []
      await inBatches(Array.from({ length: 20 }, () => ({ ...guess, headers })))
      await inBatches(Array.from({ length: 20 }, () => ({ ...guess, from: ownersNetwork })))
      assert.equal(evaluated.length, 10)
    }
    const password = 'Tidal-Gauge-71'
    const change = { password, password_confirmation: password }
    const changed = await caller.post('/members/change-password', change, String(signedIn.body.token))
    assert.equal(changed.status, 200, changed.raw)
    evaluated = []
    await inBatches(Array.from({ length: 20 }, () => ({ email: owner.email, headers })))
    await inBatches(Array.from({ length: 20 }, () => ({ email: owner.email, from: ownersNetwork })))
    assert.equal(evaluated.length, 10)
  })

  test('serves two people who share it', async () => {
    const [one, two] = [await addMember(system), await addMember(system)]
    const first = deviceCookieOf(await tryToSignIn(one))
    const second = deviceCookieOf(await tryToSignIn({ ...two, headers: first }))
    for (const { email } of [one, two])
      await inBatches(Array.from({ length: 20 }, () => ({ email, from: ownersNetwork })))
    const third = await tryToSignIn({ ...one, from: ownersNetwork, headers: second })
    assert.equal(third.status, 200)
    assert.equal((await tryToSignIn({ ...two, from: ownersNetwork, headers: deviceCookieOf(third) })).status, 200)
  })
})

describe('one password over a thousand accounts', () => {
  for (const [name, from] of [
    ['from one address', () => '198.51.100.9'],
    ['from many addresses of one IPv6 network', (index: number) => `2001:db8:7:7::${index.toString(16)}`],
  ] as const) {
    test(`${name}: checks at most thirty in 15 minutes`, async () => {
      const guesses = Array.from({ length: 1_000 }, (_, index) => ({
        email: `spray-${index}@harbour.test`,
        from: from(index),
        headers: spoofed(index),
      }))
      await inBatches(guesses)
      assert.equal(evaluated.length, 30)
    })
  }
})

test('normalizes an address to its network', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:FFFF:C000:0201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000::2', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [null, 'unknown'],
  ] as const) {
    assert.equal(networkOf(address), network, String(address))
  }
})
