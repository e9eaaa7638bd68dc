// spec: MP 2.2
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Scope } from '@atrium/contract/access/scopes.ts'
import { limits } from '@atrium/contract/limits.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, memberActor, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { searchSources } from '../domains.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { recordEvent } from '../funding/transaction.ts'
import { searchOwn } from './search.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let member: Member
let token: string
let platformId: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  platformId = await addPlatform(system, { groups: [{ name: 'real\\std', alias: 'Zürich Prime' }] })
  member = await makeMember('700123', 70_014)
  token = (await openTestSession(system, { kind: 'member', id: member.memberId })).token
  await makeMember('700555', 70_055)
})
after(() => close())

async function makeMember(login: string, ticket: number, of = system, platform = platformId): Promise<Member> {
  const { memberId } = await addMember(of)
  const accountId = await addAccount(of, {
    memberId,
    platformId: platform,
    platform_login: login,
    group_name: 'real\\std',
    city: 'Valletta',
  })
  await addTransaction(of, { memberId, accountId, ticket, amount: '1250.00' })
  return memberActor(of, memberId)
}

const titles = async (query: string, actor = member) =>
  (await searchOwn(actor, query, searchSources)).flatMap(({ name, hits }) =>
    hits.map(({ title }) => `${name} ${title}`),
  )

describe('the search of a member', () => {
  for (const query of ['700123', '7001', '#700', 'usd valletta', 'ZURICH pri', 'live metatrader', '7001%'])
    it(`finds the account by ${query}`, async () => assert.deepEqual(await titles(query), ['accounts #700123']))
  for (const query of ['70014', 't-70014', 'T-70014', '#70014'])
    it(`finds the transaction by ${query}`, async () => assert.deepEqual(await titles(query), ['transactions 70014']))
  for (const query of ['123', '%', '_', "' or 1=1 --", '9'.repeat(80), 'eur', '\ud800', '../..', '70014.0'])
    it(`finds nothing by ${JSON.stringify(query)}`, async () => assert.deepEqual(await titles(query), []))

  it('takes several accounts of one member that are stored at the same time', async () => {
    const { memberId } = await addMember(system)
    const logins = Array.from({ length: 8 }, (_, index) => String(950_001 + index))
    await Promise.all(logins.map((platform_login) => addAccount(system, { memberId, platformId, platform_login })))
    const words = await reading(system, (tx) =>
      tx
        .selectFrom('member_words')
        .select('word')
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', memberId)
        .where('word', 'in', logins)
        .execute(),
    )
    assert.deepEqual(words.map(({ word }) => word).sort(), logins)
  })

  it('returns facts that distinguish the results', async () => {
    const { status, body } = await caller.get('/members/search?q=700123', token)
    assert.equal(status, 200)
    const [group] = body.groups as { name: string; hits: { facts: string[] }[] }[]
    assert.deepEqual(group?.hits[0]?.facts, ['MetaTrader 5', 'Zürich Prime', 'Live', 'USD'])
    const found = await searchOwn(member, '70014', searchSources)
    assert.deepEqual(found[0]?.hits[0]?.facts, ['Deposit', '1250.00 USD', 'Pending'])
  })

  it('names an unpaid deposit as its own page does', async () => {
    const { memberId } = await addMember(system)
    const accountId = await addAccount(system, { memberId, platformId, platform_login: '555001' })
    const actor = await memberActor(system, memberId)
    const transaction_id = await addTransaction(system, {
      ...{ memberId, accountId, ticket: 70_099, payment_method: 'psp:skrill' },
    })
    const shown = async () => (await searchOwn(actor, '70099', searchSources))[0]?.hits[0]?.facts.at(-1)
    assert.equal(await shown(), 'Awaiting payment')
    await inTransaction(system, (tx) =>
      recordEvent(tx, system, { transaction_id, member_id: memberId }, 'deposit.pending-at-provider'),
    )
    assert.equal(await shown(), 'Payment on its way')
  })

  it('finds nothing of another member or brokerage', async () => {
    assert.deepEqual(await titles('700555'), [])
    assert.deepEqual(await titles('70055'), [])
    const other = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const foreignMember = await makeMember('700123', 70_014, other, await addPlatform(other))
    assert.deepEqual(await titles('700123', foreignMember), ['accounts #700123'])
    const own = (await searchOwn(member, '700123', searchSources))[0]?.hits[0]?._id
    assert.notEqual((await searchOwn(foreignMember, '700123', searchSources))[0]?.hits[0]?._id, own)
  })

  it('finds nothing in a closed scope', async () => {
    const without = (features: Partial<Member['features']>) => ({
      ...member,
      features: { ...member.features, ...features },
    })
    const denied = (scope: Scope) => ({ ...member, permissions: [...member.permissions, `${scope}-`] })
    assert.deepEqual(await titles('700123', without({ accounts: false })), [])
    assert.deepEqual(await titles('700123', denied('my_accounts')), [])
    assert.deepEqual(await titles('70014', without({ balance_transactions: false })), [])
    assert.deepEqual(await titles('70014', denied('transactions')), [])
    assert.deepEqual(await titles('700123', denied('transactions')), ['accounts #700123'])
  })

  it('returns the first few of many', async () => {
    const { memberId } = await addMember(system)
    for (let count = 0; count <= limits.searchHitsMax; count++)
      await addAccount(system, { memberId, platformId, platform_login: String(810_000 + count) })
    assert.equal((await titles('81', await memberActor(system, memberId))).length, limits.searchHitsMax)
  })

  it('refuses an empty query, too many words and a missing session', async () => {
    for (const q of ['', '%20', 'x'.repeat(limits.searchCharsMax + 1), 'a%00b'])
      assert.equal((await caller.get(`/members/search?q=${q}`, token)).status, 422, q)
    assert.equal((await caller.get('/members/search', token)).status, 422)
    assert.equal((await caller.get('/members/search?q=a&q=b', token)).status, 422)
    assert.equal((await caller.get('/members/search?q=700123')).status, 401)
  })
})
