// spec: OP faults
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { writeMessage } from '../../tests/fixtures/ticket-desk.ts'
import { addTicket } from '../../tests/fixtures/tickets.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  type MadeMember,
  memberActor,
  openTestSession,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { Member, Staff, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { lockMember } from '../members/lock.ts'
import { endSessionsOfStaff, lockStaff } from '../staff/staff.ts'
import { endAllSessionsOf, endSessionOf } from './desk-help.ts'
import { describeDevice } from './device.ts'
import { requireProof } from './factors/proof.ts'
import { isDeviceOf } from './known-device.ts'
import { endOtherSessions, endOwnSession } from './own-sessions.ts'
import { changePassword } from './passwords/password-change.ts'
import { checkCode } from './passwords/password-reset.ts'
import { makeResetCode } from './passwords/reset-request.ts'
import type { Kind } from './person.ts'
import { signIn as enter } from './sign-in.ts'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller
let member: MadeMember

before(async () => {
  made = await makeTestContext({ environment: { TRUSTED_PROXIES: '1' } })
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
})
after(async () => {
  await app.close()
  await made.close()
})
beforeEach(async () => {
  made.context.clock.advance(15 * 60_000 + 1)
  member = await addMember(system)
})

async function signIn(userAgent: string, address = '192.0.2.1'): Promise<string> {
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': address }
  const payload = { email: member.email, password: member.password }
  const answer = await caller.send({ method: 'POST', url: '/members/login', payload, headers })
  assert.equal(answer.status, 200, answer.raw)
  return String(answer.body.token)
}

type Shown = {
  _id: string
  device: string
  address: string
  current: boolean
  last_seen_at: number
  created_at: number
}
const list = async (token: string) => (await caller.get('/members/sessions', token)).body.sessions as Shown[]
const isIn = async (token: string) => (await caller.get('/user/permissions', token)).status === 200

describe('own sessions', () => {
  test('have the address alone when the proxy forwards more, and none when it forwards none', async () => {
    const forwarded = ['192.0.2.9:51234', '[2001:db8::9]:51234', '[2001:db8::a]', 'fe80::9%eth0', 'unknown']
    const tokens: string[] = []
    for (const address of forwarded) tokens.push(await signIn(chrome, address))
    const shown = await list(tokens[0] ?? '')
    assert.deepEqual(
      new Set(shown.map(({ address }) => address)),
      new Set(['192.0.2.9', '2001:db8::9', '2001:db8::a', 'fe80::9', null]),
    )
  })

  test('of one address count as one network for the limit of sign-ins, whatever its port', async () => {
    const statuses: number[] = []
    for (let port = 50_000; port < 50_009; port += 1) {
      const payload = { email: member.email, password: 'wrong' }
      const headers = { 'x-forwarded-for': `192.0.2.11:${port}` }
      statuses.push((await caller.send({ method: 'POST', url: '/members/login', payload, headers })).status)
    }
    assert.deepEqual(statuses, [...Array(8).fill(401), 429])
  })

  test('are listed with device, address and last activity, the current one marked, and no one else’s', async () => {
    const first = await signIn(chrome)
    const startedAt = made.context.clock.now().getTime()
    made.context.clock.advance(120_000)
    await signIn(firefox, '192.0.2.2')
    await caller.signIn(await addMember(system))
    const shown = await list(first)
    assert.deepEqual(
      shown.map(({ _id, ...rest }) => rest),
      [
        {
          device: 'Firefox on Linux',
          address: '192.0.2.2',
          created_at: startedAt + 120_000,
          last_seen_at: startedAt + 120_000,
          current: false,
        },
        {
          device: 'Chrome on Windows',
          address: '192.0.2.1',
          created_at: startedAt,
          last_seen_at: startedAt,
          current: true,
        },
      ],
    )
  })

  test('are not listed once signed out, idle or too old', async () => {
    const gone = await signIn(chrome)
    await caller.post('/users/logout', {}, gone)
    await signIn(firefox)
    made.context.clock.advance(31 * 60_000)
    const token = await signIn(chrome)
    assert.equal((await list(token)).length, 1)
  })

  test('end one by one', async () => {
    const [first, second, third] = [await signIn(chrome), await signIn(chrome), await signIn(chrome)]
    const target = (await list(second)).find((each) => each.current)?._id
    assert.equal((await caller.post('/members/sessions/end', { _id: target }, first)).status, 200)
    assert.deepEqual([await isIn(first), await isIn(second), await isIn(third)], [true, false, true])
    assert.equal((await caller.post('/members/sessions/end', { _id: target }, first)).status, 404)
  })

  test('answer as unknown ones and stay when they are another person’s', async () => {
    const theirs = await caller.signIn(await addMember(system))
    const [{ _id: foreign } = { _id: '' }] = await list(theirs)
    const mine = await signIn(chrome)
    const answers = []
    for (const _id of [foreign, '00000000-0000-7000-8000-000000000000']) {
      const { status, body } = await caller.post('/members/sessions/end', { _id }, mine)
      answers.push([status, { ...body, request_id: '' }])
    }
    assert.equal(answers[0]?.[0], 404)
    assert.deepEqual(answers[0], answers[1])
    assert.ok(await isIn(theirs))
  })

  test('end all but the current one', async () => {
    const others = [await signIn(chrome), await signIn(firefox)]
    const theirs = await caller.signIn(await addMember(system))
    const mine = await signIn(chrome)
    assert.equal((await caller.post('/members/sessions/end-others', {}, mine)).body.ended, 2)
    for (const other of others) assert.ok(!(await isIn(other)))
    assert.ok((await isIn(mine)) && (await isIn(theirs)))
  })
})

describe('a browser whose session somebody else has ended', () => {
  let desk: Staff
  before(async () => {
    desk = staffActor(system, await addStaff(system, { role: 'administrator' }))
  })

  type Browser = { sessionId: string; key: string }
  /** Two browsers of one person; each sign-in is a moment of its own, as in life. */
  async function enterTwice(kind: Kind, person: { email: string; password: string }): Promise<[Browser, Browser]> {
    const signInOnce = async (): Promise<Browser> => {
      made.context.clock.advance(1_000)
      const entered = await enter(system, kind, person, { address: '192.0.2.1', userAgent: chrome })
      assert.ok('deviceKey' in entered)
      return { sessionId: entered.sessionId, key: entered.deviceKey }
    }
    return [await signInOnce(), await signInOnce()]
  }
  const known = (kind: Kind, id: string, browsers: readonly Browser[]) =>
    reading(system, async (tx) => {
      const answers: boolean[] = []
      for (const { key } of browsers)
        answers.push(await isDeviceOf(tx, system, { kind, id }, { key, address: null, userAgent: null }))
      return answers
    })

  for (const [name, end] of [
    ['staff ended all of them', (id: string) => endAllSessionsOf(desk, id)],
    ['staff locked the member', (id: string) => lockMember(desk, id, 'An intruder')],
  ] as const)
    test(`is an unknown one after ${name}`, async () => {
      const browsers = await enterTwice('member', member)
      assert.deepEqual(await known('member', member.memberId, browsers), [true, true])
      await end(member.memberId)
      assert.deepEqual(await known('member', member.memberId, browsers), [false, false])
    })

  test('is an unknown one after the member ended all others, and their own stays known', async () => {
    const browsers = await enterTwice('member', member)
    await endOtherSessions({ ...(await memberActor(system, member.memberId)), sessionId: browsers[1].sessionId })
    assert.deepEqual(await known('member', member.memberId, browsers), [false, true])
  })

  const endFrom = async (own: string, id: string) =>
    endOwnSession({ ...(await memberActor(system, member.memberId)), sessionId: own }, id)
  for (const [name, end] of [
    ['the member', endFrom],
    ['staff', (_own: string, id: string) => endSessionOf(desk, member.memberId, id)],
  ] as const)
    test(`is the only unknown one after ${name} ended one session, and a reset link is closed`, async () => {
      const browsers = await enterTwice('member', member)
      const person = { kind: 'member', id: member.memberId } as const
      const code = await inTransaction(system, (tx) => makeResetCode(tx, system, person, 'reset'))
      await end(browsers[1].sessionId, browsers[0].sessionId)
      assert.deepEqual(await known('member', member.memberId, browsers), [false, true])
      const check = checkCode(system, 'member', code, { address: null, userAgent: null })
      await assert.rejects(check, { code: 'invalid_input' })
    })

  for (const [name, end] of [
    ['ended the sessions', endSessionsOfStaff],
    ['locked the sign-in', lockStaff],
  ] as const)
    test(`is an unknown one after an administrator ${name} of a colleague`, async () => {
      const colleague = await addStaff(system)
      const browsers = await enterTwice('staff', colleague)
      await end(desk, colleague.staffId)
      assert.deepEqual(await known('staff', colleague.staffId, browsers), [false, false])
    })
})

/** A call that was let in before its session ended, and reaches the database after it. */
describe('a call under way when its session ends', () => {
  const ended = { code: 'unauthenticated' }
  const passwords = { password: 'Tidal-Gauge-71', password_confirmation: 'Tidal-Gauge-71' }

  async function actorOf(): Promise<Member> {
    const { sessionId } = await openTestSession(system, { kind: 'member', id: member.memberId })
    return { ...(await memberActor(system, member.memberId)), sessionId }
  }
  const change = (actor: Member) =>
    changePassword(actor, { ...passwords, current_password: member.password }, { address: null, userAgent: null })

  test('changes no password, and starts nothing that needs a proof', async () => {
    const staff = staffActor(system, await addStaff(system))
    const actor = await actorOf()
    await endAllSessionsOf(staff, member.memberId)
    await assert.rejects(change(actor), ended)
    await assert.rejects(endOtherSessions(actor), ended)
    await assert.rejects(
      inTransaction(actor, (tx) => requireProof(tx, actor)),
      { code: 'proof_required' },
    )
    await change(await actorOf())
  })

  test('ends no other session, and forgets no browser', async () => {
    const [actor, other] = [await actorOf(), await actorOf()]
    await endOwnSession(other, actor.sessionId)
    await assert.rejects(endOwnSession(actor, other.sessionId), ended)
    await endOwnSession(other, other.sessionId)
  })

  test('writes nothing, and the member’s other sessions still do', async () => {
    const [actor, other] = [await actorOf(), await actorOf()]
    const id = await addTicket(actor)
    await endOtherSessions(other)
    await assert.rejects(addTicket(actor), ended)
    await assert.rejects(writeMessage(actor, id, 'Pay it out to me'), ended)
    await writeMessage(other, id, 'Please do not')
    await addTicket(other, { subject: 'An intruder' })
  })

  test('writes nothing for a member whose sign-in was locked', async () => {
    const staff = staffActor(system, await addStaff(system))
    const actor = await actorOf()
    const id = await addTicket(actor)
    await lockMember(staff, member.memberId, 'An intruder')
    await assert.rejects(addTicket(actor), ended)
    await assert.rejects(writeMessage(actor, id, 'Please unlock me'), ended)
    await assert.rejects(change(actor), ended)
  })
})

describe('a sign-in from a new device', () => {
  const newDeviceMails = async () =>
    (await mailsTo(system, member.email)).filter(({ subject }) => subject === 'New sign-in to your account')

  test('sends a mail; a known device does not, nor its newer version', async () => {
    await signIn(chrome)
    const [mail] = await newDeviceMails()
    assert.match(mail?.text ?? '', /Chrome on Windows, from the address 192\.0\.2\.1/)
    await signIn(chrome)
    await signIn(chrome.replace('Chrome/140.0.0.0', 'Chrome/141.0.1.7'))
    assert.equal((await newDeviceMails()).length, 1)
    await signIn(chrome, '192.0.2.9')
    await signIn(firefox)
    assert.equal((await newDeviceMails()).length, 3)
  })

  test('at the desk sends a mail to the staff member, once for each device', async () => {
    const staff = await addStaff(system)
    const enter = (agent: string) =>
      caller.send({
        method: 'POST',
        url: '/desk/api/login',
        payload: { email: staff.email, password: staff.password },
        headers: { 'user-agent': agent },
      })
    const mails = async () =>
      (await mailsTo(system, staff.email)).filter(({ subject }) => subject === 'New sign-in to your account')
    for (const _ of [1, 2]) assert.equal((await enter(chrome)).status, 200)
    const [mail] = await mails()
    assert.match(mail?.text ?? '', /your desk account at [\s\S]*Chrome on Windows[\s\S]*\/desk\/security/)
    assert.equal((await mails()).length, 1)
    assert.equal((await enter(firefox)).status, 200)
    assert.equal((await mails()).length, 2)
  })

  test('sends one mail for five concurrent sign-ins', async () => {
    await Promise.all(Array.from({ length: 5 }, () => signIn(firefox)))
    assert.equal((await newDeviceMails()).length, 1)
  })

  test('quotes nothing of the user agent', async () => {
    await signIn('<script>alert(1)</script> Firefox/1')
    const [mail] = await newDeviceMails()
    assert.ok(mail && !mail.html.includes('script') && !mail.text.includes('script'))
  })
})

describe('a device name', () => {
  const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
  for (const [userAgent, words] of [
    [chrome, 'Chrome on Windows'],
    [firefox, 'Firefox on Linux'],
    [`${chrome} Edg/140.0.0.0`, 'Edge on Windows'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit} Version/18.0 Mobile/15E148 Safari/604.1`,
      'Safari on iPhone',
    ],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.0 Safari/605.1.15`, 'Safari on macOS'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['curl/8.0', 'Unknown device'],
    [null, 'Unknown device'],
  ] as const) {
    test(`is ${words}`, () => assert.equal(describeDevice(userAgent), words))
  }
})
