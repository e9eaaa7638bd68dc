// spec: DK members, DK record
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { linksIn, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addBankAccount, addFundAccount, addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addTicket } from '../../tests/fixtures/tickets.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, type MadeMember, memberActor } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import type { DeskMember } from './desk-queries.ts'

let made: MadeContext
let close: () => Promise<void>
let caller: Caller
let system: System
let staffToken: string
let elsewhere: MadeMember

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  elsewhere = await addMember(await addWorkspace(made.context, { subdomain: 'other' }))
  staffToken = await caller.signIn(await addStaff(system, { role: 'compliance', name: 'Cora Compliance' }), 'desk')
})
after(() => close())

const act = (memberId: string, what: string, body: object = {}) =>
  caller.post(`/desk/api/members/${memberId}/${what}`, body, staffToken)
const isIn = async (token: string) => (await caller.get('/user/permissions', token)).status === 200
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.code]

async function auditOf(memberId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'actor_kind', 'before', 'after'])
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .where('actor_kind', '=', 'staff')
      .orderBy('audit_id')
      .execute(),
  )
}

describe('locking a member', () => {
  test('ends every session, closes open links, notifies the member, and stores the reason for staff only', async () => {
    const member = await addMember(system)
    const tokens = [await caller.signIn(member), await caller.signIn(member)]
    await act(member.memberId, 'reset-link')
    const [link = ''] = linksIn((await mailsTo(system, member.email)).at(-1)?.text ?? '')
    const locked = await act(member.memberId, 'lock', { reason: 'Sold her phone' })
    assert.equal(locked.status, 200, locked.raw)
    const shown = locked.body.member as { status: string; lock: { reason: string; by: string } }
    assert.deepEqual([shown.status, shown.lock.reason, shown.lock.by], ['locked', 'Sold her phone', 'Cora Compliance'])
    for (const token of tokens) assert.equal(await isIn(token), false)
    const code = link.split('/').at(-1)
    assert.equal((await caller.post('/members/reset-password/check-code', { code })).status, 422)
    assert.equal((await caller.post('/members/login', member)).status, 401)
    const mail = (await mailsTo(system, member.email)).at(-1)
    assert.equal(mail?.subject, 'Your sign-in has been locked')
    assert.ok(!mail?.text.includes('Sold her phone'))
    const [, entry] = await auditOf(member.memberId)
    assert.deepEqual(
      [entry?.action, entry?.before, entry?.after],
      ['member.locked', { status: 'active' }, { status: 'locked', reason: 'Sold her phone', sessions_ended: 2 }],
    )
  })

  test('can be lifted: the member signs in again, and ended sessions stay ended', async () => {
    const member = await addMember(system)
    const token = await caller.signIn(member)
    await act(member.memberId, 'lock', { reason: 'A check' })
    const answer = await act(member.memberId, 'unlock')
    assert.deepEqual([answer.status, (answer.body.member as { lock: unknown }).lock], [200, null])
    assert.equal(await isIn(token), false)
    assert.equal(await isIn(await caller.signIn(member)), true)
    const locks = await reading(system, (tx) =>
      tx.selectFrom('member_locks').where(here).selectAll().where('member_id', '=', member.memberId).execute(),
    )
    assert.deepEqual([locks.length, locks[0]?.reason, locks[0]?.lifted_at !== null], [1, 'A check', true])
  })

  test('is not lifted by a page that shows an earlier lock', async () => {
    const { memberId } = await addMember(system)
    const lock = async (reason: string) => {
      const { body } = await act(memberId, 'lock', { reason })
      made.context.clock.advance(1_000)
      return (body.member as { lock: { at: number } }).lock.at
    }
    const seen = await lock('A check')
    await act(memberId, 'unlock', { seen })
    const newer = await lock('A fraud')
    assert.deepEqual(codeOf(await act(memberId, 'unlock', { seen })), [409, 'conflict'])
    assert.equal((await act(memberId, 'unlock', { seen: newer })).status, 200)
  })

  test('requires a reason, and of two concurrent locks one is refused', async () => {
    const member = await addMember(system)
    for (const reason of [undefined, '', '   ', 'x'.repeat(501)]) {
      const refused = await act(member.memberId, 'lock', { reason })
      assert.deepEqual([refused.status, Object.keys(refused.body.errors as object)], [422, ['reason']])
    }
    assert.deepEqual(codeOf(await act(member.memberId, 'unlock')), [409, 'illegal_move'])
    const both = await Promise.all([1, 2].map(() => act(member.memberId, 'lock', { reason: 'Twice' })))
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await auditOf(member.memberId)).length, 1)
  })

  test('leaves no valid session when a sign-in happens at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await addMember(system)
      const [signedIn] = await Promise.all([
        caller.post('/members/login', member),
        act(member.memberId, 'lock', { reason: 'Race' }),
      ])
      if (signedIn.status === 200) assert.equal(await isIn(String(signedIn.body.token)), false)
    }
  })
})

describe('helping a member to sign in', () => {
  test('sends a reset link to the member only, and the desk never sees its code', async () => {
    const member = await addMember(system)
    const answer = await act(member.memberId, 'reset-link')
    assert.deepEqual(answer.body, { status: 'ok' })
    const mail = (await mailsTo(system, member.email)).at(-1)
    const code =
      linksIn(mail?.text ?? '')[0]
        ?.split('/')
        .at(-1) ?? ''
    assert.ok(code.length >= 43)
    for (const address of [`/desk/api/members/${member.memberId}`, '/desk/api/audit?limit=100']) {
      const seen = await caller.get(address, staffToken)
      assert.equal(seen.status, 200)
      assert.ok(!seen.raw.includes(code))
    }
    const password = 'Lighthouse-2027'
    const set = await caller.post('/members/reset-password/process', {
      code,
      password,
      password_confirmation: password,
    })
    assert.equal(set.status, 200, set.raw)
    await caller.signIn({ email: member.email, password })
    assert.deepEqual(
      (await auditOf(member.memberId)).map(({ action }) => action),
      ['password-reset.sent-by-desk'],
    )
  })

  test('a newer link replaces the older one, and a locked member gets none', async () => {
    const member = await addMember(system)
    await act(member.memberId, 'reset-link')
    await act(member.memberId, 'reset-link')
    const codes = (await mailsTo(system, member.email)).map(({ text }) => linksIn(text)[0]?.split('/').at(-1))
    const checked = await Promise.all(codes.map((code) => caller.post('/members/reset-password/check-code', { code })))
    assert.deepEqual(
      checked.map(({ status }) => status),
      [422, 200],
    )
    await act(member.memberId, 'lock', { reason: 'A check' })
    assert.deepEqual(codeOf(await act(member.memberId, 'reset-link')), [409, 'illegal_move'])
  })

  test('refuses the sixth link within a quarter of an hour', async () => {
    const member = await addMember(system)
    for (let count = 0; count < 5; count++) assert.equal((await act(member.memberId, 'reset-link')).status, 200)
    assert.equal((await act(member.memberId, 'reset-link')).status, 429)
  })

  test('ends one session of a member, or all of them', async () => {
    const member = await addMember(system)
    const [first, second, third] = [
      await caller.signIn(member),
      await caller.signIn(member),
      await caller.signIn(member),
    ]
    const listed = await caller.get(`/desk/api/members/${member.memberId}/sessions`, staffToken)
    const sessions = listed.body.sessions as { _id: string }[]
    assert.equal(sessions.length, 3)
    assert.ok(!/token/.test(listed.raw))
    const session_id = sessions.at(-1)?._id
    assert.equal((await act(member.memberId, 'sessions/end', { session_id })).status, 200)
    assert.equal((await act(member.memberId, 'sessions/end', { session_id })).status, 404)
    assert.equal([first, second, third].length, 3)
    const ended = await act(member.memberId, 'sessions/end-all')
    assert.equal(ended.body.ended, 2)
    assert.equal((await act(member.memberId, 'sessions/end-all')).body.ended, 0)
    for (const token of [first, second, third]) assert.equal(await isIn(token), false)
  })

  test("does not end another member's session", async () => {
    const [one, two] = [await addMember(system), await addMember(system)]
    const token = await caller.signIn(two)
    const listed = await caller.get(`/desk/api/members/${two.memberId}/sessions`, staffToken)
    const session_id = (listed.body.sessions as { _id: string }[])[0]?._id
    assert.equal((await act(one.memberId, 'sessions/end', { session_id })).status, 404)
    assert.equal(await isIn(token), true)
  })
})

describe('changing permissions', () => {
  test('needs a fresh proof of identity, as do the type and the referrer', async () => {
    const { memberId } = await addMember(system)
    const { memberId: referrer } = await addMember(system, { type: 'sales_person' })
    made.context.clock.advance(15 * 60_000 + 1)
    const unproven = [403, 'proof_required']
    const permit = () => act(memberId, 'permissions', { denied: ['deposit'], seen: [] })
    assert.deepEqual(codeOf(await permit()), unproven)
    assert.deepEqual(codeOf(await act(memberId, 'type', { type: 'sales_person', reason: 'Joined' })), unproven)
    assert.deepEqual(codeOf(await act(memberId, 'referrer', { seen: null, referrer, reason: 'Theirs' })), unproven)
    made.context.clock.advance(-15 * 60_000 - 1)
    assert.equal((await permit()).status, 200)
  })

  test('a denied permission is refused at the next call, and can be restored', async () => {
    const member = await addMember(system)
    const token = await caller.signIn(member)
    const ask = () => caller.post('/members/deposits/create', {}, token)
    assert.equal((await ask()).status, 422)
    const denied = await act(member.memberId, 'permissions', { denied: ['deposit', 'support'], seen: [] })
    assert.deepEqual((denied.body.member as { permissions: string[] }).permissions.sort(), ['deposit-', 'support-'])
    assert.deepEqual(codeOf(await ask()), [403, 'not_permitted'])
    const again = await act(member.memberId, 'permissions', { denied: [], seen: ['support-', 'deposit-'] })
    assert.deepEqual((again.body.member as { permissions: string[] }).permissions, [])
    assert.equal((await ask()).status, 422)
    const entries = await auditOf(member.memberId)
    assert.deepEqual(
      entries.map(({ before, after }) => [before, after]),
      [
        [{ permissions: [] }, { permissions: ['deposit-', 'support-'] }],
        [{ permissions: ['deposit-', 'support-'] }, { permissions: [] }],
      ],
    )
  })

  test('refuses unknown ones, preserves other entries, detects a conflict, and writes nothing without a change', async () => {
    const member = await addMember(system, { permissions: ['beta_platform', 'deposit-'] })
    const id = member.memberId
    assert.equal((await act(id, 'permissions', { denied: ['everything'], seen: [] })).status, 422)
    assert.deepEqual(codeOf(await act(id, 'permissions', { denied: [], seen: [] })), [409, 'conflict'])
    const seen = ['beta_platform', 'deposit-']
    const answer = await act(id, 'permissions', { denied: ['support'], seen })
    assert.deepEqual((answer.body.member as { permissions: string[] }).permissions, ['beta_platform', 'support-'])
    await act(id, 'permissions', { denied: ['support'], seen: ['beta_platform', 'support-'] })
    assert.equal((await auditOf(id)).length, 1)
  })
})

test("answers not_found alike for another workspace's member and an unknown one", async () => {
  const calls = ['lock', 'unlock', 'reset-link', 'sessions/end-all', 'permissions', 'export', 'erase']
  const filledIn = { reason: 'x', denied: [], customer_number: 'x' }
  for (const what of calls) {
    const body = { ...filledIn, ...(what === 'permissions' && { seen: [] }) }
    const [foreign, unknown] = [await act(elsewhere.memberId, what, body), await act(newId(), what, body)]
    assert.equal(foreign.status, 404, what)
    assert.equal(foreign.raw.replace(/"request_id":"[^"]+"/, ''), unknown.raw.replace(/"request_id":"[^"]+"/, ''), what)
  }
  for (const address of ['', '/sessions']) {
    const [foreign, unknown] = await Promise.all(
      [elsewhere.memberId, newId()].map((id) => caller.get(`/desk/api/members/${id}${address}`, staffToken)),
    )
    assert.equal(foreign?.status, unknown?.status)
    assert.ok(!foreign?.raw.includes(elsewhere.email))
  }
})

test('lists rows of the same instant in a fixed order, the later id first', async () => {
  const { memberId } = await addMember(system)
  const platformId = await addPlatform(system)
  const ids = Array.from({ length: 4 }, () => newId())
  const [first = '', second = '', third = '', fourth = ''] = ids
  for (const id of [third, first, fourth, second]) {
    await addAccount(system, { memberId, platformId, account_id: id })
    await addBankAccount(system, { memberId, bank_account_id: id })
    await addFundAccount(system, { memberId, fund_account_id: id })
  }
  const { body } = await caller.get(`/desk/api/members/${memberId}`, staffToken)
  const { accounts, bank_accounts, other_accounts } = body.member as Record<string, { _id: string }[]>
  for (const rows of [accounts, bank_accounts, other_accounts])
    assert.deepEqual(
      rows?.map(({ _id }) => _id),
      ids.toReversed(),
    )
})

test('shows the QR code of a wallet, which staff can open', async () => {
  const { memberId } = await addMember(system)
  const qr_media_id = await addMedia(system, { memberId, purpose: 'qr', kind: 'image', name: 'my wallet.png' })
  await addFundAccount(system, { memberId, qr_media_id })
  const { body } = await caller.get(`/desk/api/members/${memberId}`, staffToken)
  const [wallet] = (body.member as DeskMember).other_accounts
  assert.deepEqual(wallet?.address_qr, { url: `/cp/private/files/${qr_media_id}/my%20wallet.png`, scan: 'none' })
  assert.equal((await caller.get(wallet?.address_qr?.url ?? '', staffToken)).status, 200)
})

test("shows the sums of a member's live accounts by currency, and the latest tickets", async () => {
  const { memberId } = await addMember(system)
  const platformId = await addPlatform(system)
  const own = { memberId, accountId: await addAccount(system, { memberId, platformId }) }
  const demo = { memberId, accountId: await addAccount(system, { memberId, platformId, live_account: false }) }
  for (const amount of ['100.10', '0.20']) await addTransaction(system, { ...own, amount, state: 'approved' })
  await addTransaction(system, { ...own, amount: '7', type: 'withdrawal', state: 'approved' })
  await addTransaction(system, { ...own, amount: '9', currency: 'EUR', state: 'rejected' })
  await addTransaction(system, { ...demo, amount: '5000', state: 'approved' })
  const { body } = await caller.get(`/desk/api/members/${memberId}`, staffToken)
  const { totals, tickets, ticket_count } = body.member as DeskMember
  assert.deepEqual(totals, [{ currency: 'USD', deposits: '100.30', withdrawals: '7.00' }])
  assert.deepEqual([tickets, ticket_count], [[], 0])
  const actor = await memberActor(system, memberId)
  const subjects = ['First', 'Second']
  for (const subject of subjects) await addTicket(actor, { subject })
  const again = (await caller.get(`/desk/api/members/${memberId}`, staffToken)).body.member as DeskMember
  assert.deepEqual([again.tickets.map(({ subject }) => subject).sort(), again.ticket_count], [subjects, 2])
})

test('requires a fresh proof of identity to erase, export or unlock a member', async () => {
  const customer_number = 'E-1001'
  const { memberId } = await addMember(system, { customer_number })
  await act(memberId, 'lock', { reason: 'A check' })
  const signIn = async () => caller.signIn(await addStaff(system, { role: 'compliance' }), 'desk')
  const acts = [
    ['unlock', {}],
    ['export', {}],
    ['erase', { reason: 'Asked for it', customer_number }],
  ] as const
  const send = (token: string, [what, body]: (typeof acts)[number]) =>
    caller.post(`/desk/api/members/${memberId}/${what}`, body, token)
  const unattended = await signIn()
  made.context.clock.advance(16 * 60_000)
  const before = await auditOf(memberId)
  for (const each of acts) assert.deepEqual(codeOf(await send(unattended, each)), [403, 'proof_required'], each[0])
  assert.deepEqual(await auditOf(memberId), before)
  const proven = await signIn()
  for (const each of acts) assert.equal((await send(proven, each)).status, 200, each[0])
})
