// spec: AO 5, AO 6, AO 7, OP notifications
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { systemActor } from '../foundation/actor.ts'
import { newId } from '../foundation/ids.ts'
import { endAllSessionsOf } from '../sessions/desk-help.ts'

const newPassword = 'Tidal#Gauge71'
const minute = 60_000
const setting = '/api/user/change_password'
const checking = '/api/user/check_password'

let setup: ServedFixture
let caller: Caller
let owner: pg.Client
let token: string

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
  owner = await setup.openOwner()
})
after(() => setup.close())
beforeEach(async () => {
  setup.context.clock.advance(15 * minute + 1)
  setup.simulator.control.clearFaults()
  setup.simulator.control.clearCalls()
  token = (await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })).token
})

const change = (password: unknown = newPassword, id = setup.accountId): Promise<Answered> =>
  caller.post(`/members/trading-accounts/${id}/change-password`, { new_password: password }, token)
const policyOf = (id = setup.accountId) => caller.get(`/members/trading-accounts/${id}/password-policy`, token)

async function isPassword(password: string, which: 'main' | 'investor' = 'main'): Promise<boolean> {
  const link = await setup.context.platforms.link(setup.system, setup.platformId)
  assert.ok(link)
  return link.gateway.checkPassword('700123', which, password)
}

async function entries(): Promise<string[]> {
  const { rows } = await owner.query<{ action: string }>(
    "select action from audit_log where action like 'trading-password.%' and at = $1 order by audit_id",
    [setup.context.clock.now()],
  )
  return rows.map(({ action }) => action.replace('trading-password.', ''))
}

const sentTo = (path: string) => setup.simulator.control.calls().filter((call) => call.path === path).length

describe('a new password of a trading account', () => {
  test('is set on the platform, and the owner is notified', async () => {
    const before = (await mailsTo(setup.system, setup.signIn.email)).length
    const answer = await change()
    assert.deepEqual([answer.status, answer.body], [200, { status: 'ok', msg: [accountTexts.passwordChanged] }])
    assert.ok(await isPassword(newPassword))
    assert.deepEqual(await entries(), ['asked', 'changed'])
    const mails = await mailsTo(setup.system, setup.signIn.email)
    assert.deepEqual(
      [mails.length, mails.at(-1)?.subject],
      [before + 1, 'The password of your trading account was changed'],
    )
  })

  test('is recorded and mailed although the session ended while the platform was called', async () => {
    const { control } = setup.simulator
    const before = (await mailsTo(setup.system, setup.signIn.email)).length
    control.addFault({ path: setting, times: 1, kind: 'late-answer', ms: 60_000 })
    const changing = change('While#Leaving#71')
    await eventually('the platform is called', async () => sentTo(setting) === 1)
    const staff = staffActor(setup.system, await addStaff(setup.system))
    await endAllSessionsOf(staff, setup.member.memberId)
    await eventually('the answer is on its way', async () => control.landPending() > 0)
    assert.equal((await changing).status, 200)
    assert.deepEqual(await entries(), ['asked', 'changed'])
    const mails = await mailsTo(setup.system, setup.signIn.email)
    assert.equal(mails.length, before + 1)
  })

  test('is not stored in the database', async () => {
    const unique = 'Never#Kept#9301'
    assert.equal((await change(unique)).status, 200)
    const tables = await owner.query<{ name: string }>(
      "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
    )
    for (const { name } of tables.rows) {
      const { rows } = await owner.query(`select 1 from ${name} as t where t::text like '%' || $1 || '%' limit 1`, [
        unique,
      ])
      assert.equal(rows.length, 0, name)
    }
  })

  test('is refused at its field by our rules or those of the platform, and not sent', async () => {
    for (const [password, errors] of [
      [null, [texts.passwordMissing]],
      ['Short-1', [texts.passwordTooShort]],
      ['no-uppercase-1', [texts.passwordUppercase]],
      ['No-Digit-Here', [texts.passwordDigit]],
      ['NoSpecial1', [openingTexts.openingPasswordSpecial]],
      ['Much-Too-Long-For-Mt-5', ['Use at most 16 characters.']],
      ['Has=Equals#1', ['Do not use any of these characters: = | \\']],
    ] as const) {
      const answer = await change(password)
      assert.deepEqual([answer.status, answer.body.errors], [422, { new_password: errors }], String(password))
    }
    assert.equal(sentTo(setting), 0)
  })

  test('is refused at its field when the platform rejects it on change', async () => {
    setup.simulator.control.addFault({ path: setting, times: 1, kind: 'answer-code', code: 3006 })
    const answer = await change()
    assert.deepEqual(
      [answer.status, answer.body.errors],
      [422, { new_password: [openingTexts.openingPasswordRefused] }],
    )
    assert.deepEqual(await entries(), ['asked', 'not-changed'])
  })

  test("comes with the platform's rules before it is chosen", async () => {
    const { status, body } = await policyOf()
    const { min, max, classes } = body.policy as Record<string, unknown>
    assert.deepEqual([status, min, max, classes], [200, 8, 16, 'lower+upper+digit+special'])
  })
})

describe('the investor password of a trading account', () => {
  const investor = (password: unknown = 'Looks#Only#71', id = setup.accountId): Promise<Answered> =>
    caller.post(`/members/trading-accounts/${id}/change-investor-password`, { new_password: password }, token)

  test('is set and replaced, notifies the owner, and leaves the main password', async () => {
    assert.equal((await change()).status, 200)
    for (const password of ['Looks#Only#71', 'Looks#Anew#72']) {
      const answer = await investor(password)
      assert.deepEqual([answer.status, answer.body], [200, { status: 'ok', msg: [accountTexts.investorChanged] }])
      assert.ok(await isPassword(password, 'investor'))
    }
    assert.ok(await isPassword(newPassword))
    const { rows } = await owner.query("select 1 from audit_log where action = 'investor-password.changed'")
    assert.equal(rows.length, 2)
    const mail = (await mailsTo(setup.system, setup.signIn.email)).at(-1)
    assert.equal(mail?.subject, 'The investor password of your trading account was changed')
  })

  test('is refused by the rules of the platform, and when it equals the main password', async () => {
    await change()
    for (const [password, message] of [
      ['NoSpecial1', openingTexts.openingPasswordSpecial],
      [newPassword, accountTexts.investorIsMain],
    ] as const) {
      const answer = await investor(password)
      assert.deepEqual([answer.status, answer.body.errors], [422, { new_password: [message] }])
    }
    assert.ok(!(await isPassword(newPassword, 'investor')))
  })

  test('refuses the same password as main password afterwards', async () => {
    assert.equal((await investor('Looks#Same#74')).status, 200)
    const answer = await change('Looks#Same#74')
    assert.deepEqual([answer.status, answer.body.errors], [422, { new_password: [accountTexts.mainIsInvestor] }])
    assert.ok(!(await isPassword('Looks#Same#74')))
  })

  test("is verified after a lost answer, and cannot be set for another member's account", async () => {
    setup.simulator.control.addFault({ path: setting, times: 1, kind: 'execute-then-drop' })
    assert.equal((await investor('Found#Out#73')).status, 200)
    const other = await addMember(setup.system)
    const id = await addAccount(setup.system, { memberId: other.memberId, platformId: setup.platformId })
    assert.equal((await investor('Looks#Only#71', id)).status, 404)
    setup.context.clock.advance(15 * minute + 1)
    assert.equal((await investor()).body.code, 'proof_required')
  })
})

describe('when the platform does not answer', () => {
  test('verifies the password and finds it set', async () => {
    setup.simulator.control.addFault({ path: setting, times: 1, kind: 'execute-then-drop' })
    assert.equal((await change('Found#Out#71')).status, 200)
    assert.deepEqual([sentTo(setting), sentTo(checking)], [1, 2])
    assert.deepEqual(await entries(), ['asked', 'changed'])
  })

  test('reports an unknown outcome for a password that is not set yet, since the request may still arrive', async () => {
    setup.simulator.control.addFault({ path: setting, times: 1, kind: 'land-after', ms: 60_000 })
    const answer = await change('Late#Set#71')
    assert.deepEqual([answer.status, answer.body.error], [503, accountTexts.passwordUnknown])
    assert.ok(!(await isPassword('Late#Set#71')))
    assert.deepEqual(await entries(), ['asked', 'unknown'])
    const mails = await mailsTo(setup.system, setup.signIn.email)
    assert.equal(mails.at(-1)?.subject, 'The password of your trading account may have been changed')
    assert.match(mails.at(-1)?.text ?? '', /Try to sign in with the new password/)
    setup.simulator.control.landPending()
    assert.ok(await isPassword('Late#Set#71'))
  })

  test('reports an unknown outcome when verification fails too', async () => {
    setup.simulator.control.addFault({ path: setting, times: 1, kind: 'execute-then-drop' })
    // The first check compares with the investor password, before anything is sent.
    setup.simulator.control.addFault({ path: checking, times: 1, kind: 'delay', ms: 1 })
    setup.simulator.control.addFault({ path: checking, times: 5, kind: 'drop-before' })
    const answer = await change('Who#Knows#71')
    assert.deepEqual([answer.status, answer.body.error], [503, accountTexts.passwordUnknown])
    assert.deepEqual(await entries(), ['asked', 'unknown'])
  })

  test("changes nothing while it is unreachable, and shows the rules without the platform's", async () => {
    const dead = await addPlatform(setup.system)
    const id = await addAccount(setup.system, { memberId: setup.member.memberId, platformId: dead })
    const answer = await change(newPassword, id)
    assert.deepEqual([answer.status, answer.body.error], [503, accountTexts.passwordFailed])
    assert.deepEqual((await policyOf(id)).body, { status: 'ok', policy: null })
  })
})

describe('the change of a trading password', () => {
  test('refuses an account of another member or workspace and an unknown one with the same answer', async () => {
    const other = await addMember(setup.system)
    const theirs = await addAccount(setup.system, { memberId: other.memberId, platformId: setup.platformId })
    const elsewhere = await addWorkspace(setup.context, { subdomain: 'elsewhere' })
    const there = await addAccount(systemActor(setup.context, elsewhere.workspaceId), {
      memberId: (await addMember(elsewhere)).memberId,
      platformId: await addPlatform(elsewhere),
    })
    const texts = new Set<string>()
    for (const id of [theirs, there, newId()])
      for (const answer of [await change(newPassword, id), await policyOf(id)]) {
        assert.equal(answer.status, 404)
        texts.add(answer.raw.replace(/"request_id":"[^"]*"/, ''))
      }
    assert.equal(texts.size, 1)
    assert.equal(sentTo(setting), 0)
  })

  for (const [column, value] of [
    ['deleted', true],
    ['archived', true],
    ['enable_read_only', true],
    ['enable_change_password', false],
  ] as const)
    test(`refuses an account whose ${column} is ${value}`, async () => {
      await owner.query(`update trading_accounts set ${column} = ${value} where account_id = $1`, [setup.accountId])
      const answer = await change()
      await owner.query(`update trading_accounts set ${column} = ${!value} where account_id = $1`, [setup.accountId])
      assert.deepEqual([answer.status, answer.body.error], [403, accountTexts.passwordClosed])
      assert.equal(sentTo(setting), 0)
    })

  test('sets none for somebody else who got the number', async () => {
    const before = 'Former#Owner#81'
    assert.equal((await change(before)).status, 200)
    const register = (at: string) =>
      owner.query(`update trading_accounts set platform_registered_at = ${at} where account_id = $1`, [setup.accountId])
    await register("now() - interval '400 days'")
    const answer = await change()
    await register('null')
    assert.deepEqual([answer.status, answer.body.error], [403, accountTexts.passwordClosed])
    assert.deepEqual([await isPassword(before), sentTo(setting)], [true, 1])
  })

  test('sets none once staff have given the account to its right owner, who asked for it before', async () => {
    const { control } = setup.simulator
    const group = 'real\\standard-usd'
    control.seedAccounts([{ login: '700881', group, name: 'Ada Moved', leverage: 100 }])
    const { memberId } = setup.member
    const id = await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login: '700881' })
    const { memberId: right } = await addMember(setup.system)
    control.addFault({ path: checking, times: 1, kind: 'late-answer', ms: 60_000 })
    const changing = change('Former#Owner#82', id)
    await eventually('the platform is asked', async () => sentTo(checking) === 1)
    await owner.query('update trading_accounts set member_id = $1 where account_id = $2', [right, id])
    await eventually('the answer is on its way', async () => control.landPending() > 0)
    assert.deepEqual([(await changing).status, sentTo(setting), await entries()], [404, 0, []])
  })

  test('refuses a session without a recent proof of identity, and asks for it', async () => {
    setup.context.clock.advance(15 * minute + 1)
    const answer = await change()
    assert.deepEqual([answer.status, answer.body.code], [403, 'proof_required'])
  })

  test('refuses more than ten changes of an account in a quarter of an hour, also concurrent ones', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => change()))
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(refused.length, 10)
    assert.ok(sentTo(setting) <= 10)
    assert.ok(Number(refused[0]?.headers['retry-after']) <= 15 * 60)
  })

  test('refuses more than thirty changes of a member, and none of others in the same network', async () => {
    const { memberId } = setup.member
    const { platformId } = setup
    const tooLong = 'Much-Too-Long-For-Mt-5'
    const statusOf = async (id: string) => (await change(tooLong, id)).status
    for (let accounts = 0; accounts < 3; accounts++) {
      const id = await addAccount(setup.system, { memberId, platformId })
      const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(id)))
      assert.deepEqual(new Set(statuses), new Set([422]))
    }
    assert.equal(await statusOf(setup.accountId), 429)
    const { memberId: other } = await addMember(setup.system)
    const id = await addAccount(setup.system, { memberId: other, platformId })
    token = (await openTestSession(setup.system, { kind: 'member', id: other })).token
    assert.equal(await statusOf(id), 422)
  })
})
