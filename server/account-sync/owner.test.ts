// spec: DK accounts
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { accountOwnerTexts } from '@atrium/contract/account-sync/desk-calls.ts'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { fixtureGroups, openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  approveDocuments,
  memberActor,
  openTestSession,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { changeTradingPassword } from '../accounts/password-change.ts'
import { approveDeposit } from '../deposits/decision.ts'
import type { Staff } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { comparePlatform } from './compare.ts'
import { decideDifference } from './decision.ts'
import { correctOwner } from './owner.ts'
import { accountDifferences, readAccountForDesk } from './queries.ts'

const liveGroup = 'real\\standard-usd'
const demoGroup = 'demo\\standard-usd'
let setup: TradingFixture
let colleague: Staff
let next = 710_700

before(async () => {
  setup = await openTradingFixture()
  colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
})
after(() => setup.close())
/** What one person assigned on the day before counts no more. */
beforeEach(() => setup.context.clock.advance(25 * 3_600_000))

async function anybody(values: { email?: string } = {}) {
  next += 1
  const { memberId } = await addMember(setup.system, { customer_number: String(next), ...values })
  return { memberId, number: String(next) }
}
async function ownerless(balance: string, group = liveGroup) {
  next += 1
  const login = String(next)
  setup.simulator.control.seedAccounts([
    { login, group, name: 'Ada Private', email: 'ada@x.test', leverage: 50, balance },
  ])
  await comparePlatform(setup.system, setup.platformId)
  const found = await differenceOf(login)
  assert.ok(found)
  return { id: found._id, login }
}
const differenceOf = async (login: string) =>
  (await accountDifferences.read(setup.staff, { state: 'open', limit: 25 })).differences.find(
    (each) => each.platform_login === login,
  )
const give = (by: Staff, id: string, customer_number: string, account_kind: 'live' | 'demo' = 'live') =>
  decideDifference(by, id, { decision: 'import', customer_number, account_kind })
const accountOf = (login: string) =>
  reading(setup.system, (tx) =>
    tx.selectFrom('trading_accounts').where(here).selectAll().where('platform_login', '=', login).executeTakeFirst(),
  )
const correct = (by: Staff, id: string, customer_number: string) =>
  correctOwner(by, id, { customer_number, reason: 'It is theirs' })
/** An account that one person assigned to a member. */
async function assigned(to: { number: string }, balance = '100.00') {
  const { id, login } = await ownerless(balance)
  if ((await give(setup.staff, id, to.number)).is_waiting) await give(colleague, id, to.number)
  const account = await accountOf(login)
  assert.ok(account)
  return account.account_id
}
const ownerOf = (id: string) => readAccountForDesk(setup.staff, id).then(({ member }) => member._id)
/** The search words of a member that are this account's login. */
const wordsOf = (memberId: string, accountId: string) =>
  reading(setup.system, async (tx) => {
    const { platform_login } = await readAccountForDesk(setup.staff, accountId)
    const words = tx.selectFrom('member_words').where(here).select('word').where('member_id', '=', memberId)
    return (await words.where('word', '=', platform_login).execute()).length
  })
const actionsAbout = (memberId: string) =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .where(here)
      .select('action')
      .where('member_id', '=', memberId)
      .orderBy('audit_id')
      .execute(),
  ).then((rows) => rows.map(({ action }) => action).filter((action) => action.startsWith('account.owner')))

describe('the import of an account without an owner', () => {
  it('takes two people above the threshold of deposits', async () => {
    const { number, memberId } = await anybody()
    const { id, login } = await ownerless('10000.01')
    assert.deepEqual(await give(setup.staff, id, number), { is_waiting: true })
    await assert.rejects(give(setup.staff, id, number), { message: moneyDecisionTexts.approvedByYou })
    assert.equal(await accountOf(login), undefined)
    assert.deepEqual(await give(colleague, id, number), { is_waiting: false })
    assert.equal((await accountOf(login))?.member_id, memberId)
  })

  it('counts a word about the same member and kind only', async () => {
    const [right, wrong] = [await anybody(), await anybody()]
    const { id, login } = await ownerless('10000.01')
    await give(setup.staff, id, right.number)
    assert.equal((await differenceOf(login))?.owner_proposed?.customer_number, right.number)
    assert.deepEqual(await give(colleague, id, wrong.number), { is_waiting: true })
    assert.equal(await accountOf(login), undefined)
    assert.deepEqual(await give(colleague, id, right.number), { is_waiting: false })
    assert.equal((await accountOf(login))?.member_id, right.memberId)
  })

  it('counts no word that its speaker has corrected', async () => {
    const [slip, right] = [await anybody(), await anybody()]
    const { id, login } = await ownerless('10000.01')
    await give(setup.staff, id, slip.number)
    await give(setup.staff, id, right.number)
    assert.deepEqual(await give(colleague, id, slip.number), { is_waiting: true })
    assert.equal(await accountOf(login), undefined)
    assert.deepEqual(await give(colleague, id, right.number), { is_waiting: false })
    assert.equal((await accountOf(login))?.member_id, right.memberId)
  })

  it('takes one person up to the threshold, and for demo funds', async () => {
    const { number } = await anybody()
    for (const [balance, kind, group] of [
      ['10000.00', 'live', liveGroup],
      ['50000.00', 'demo', demoGroup],
    ] as const) {
      const { id, login } = await ownerless(balance, group)
      assert.deepEqual(await give(setup.staff, id, number, kind), { is_waiting: false })
      assert.equal((await accountOf(login))?.live_account, kind === 'live')
    }
  })
})

const offer = (groups: object[]) =>
  inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .where(here)
      .set({ groups: JSON.stringify(groups) })
      .where('platform_id', '=', setup.platformId)
      .execute(),
  )

describe('the import of an account whose kind staff state', () => {
  it('is of the kind that its group is offered as', async () => {
    const { number } = await anybody()
    for (const [group, kind, wrong] of [
      [liveGroup, 'live', 'demo'],
      [demoGroup, 'demo', 'live'],
    ] as const) {
      const { id, login } = await ownerless('50000.00', group)
      await assert.rejects(give(setup.staff, id, number, wrong), {
        details: { errors: { account_kind: [deskTexts.differenceGroupKind[kind]] } },
      })
      assert.equal(await accountOf(login), undefined)
    }
  })

  it('takes two people as demo too where its group is not offered', async () => {
    const { number } = await anybody()
    const { id, login } = await ownerless('10000.01', demoGroup)
    await offer(fixtureGroups.filter(({ name }) => name !== demoGroup))
    assert.deepEqual(await give(setup.staff, id, number, 'demo'), { is_waiting: true })
    assert.equal(await accountOf(login), undefined)
    assert.deepEqual(await give(colleague, id, number, 'demo'), { is_waiting: false })
    await offer(fixtureGroups)
  })
})

describe('small accounts that one person assigns within a day', () => {
  it('add up, whoever gets them', async () => {
    const small = [await ownerless('4000.00'), await ownerless('4000.00'), await ownerless('4000.00')]
    const waiting: boolean[] = []
    for (const { id } of small) waiting.push((await give(setup.staff, id, (await anybody()).number)).is_waiting)
    assert.deepEqual(waiting, [false, false, true])
    const { id } = await ownerless('4000.00')
    assert.equal((await give(colleague, id, (await anybody()).number)).is_waiting, false)
  })

  it('add up at the same time', async () => {
    const [one, other] = [await ownerless('6000.00'), await ownerless('6000.00')]
    const people = [await anybody(), await anybody()]
    const both = await Promise.all([one, other].map(({ id }, at) => give(setup.staff, id, people[at]?.number ?? '')))
    assert.deepEqual(both.map(({ is_waiting }) => is_waiting).sort(), [false, true])
  })

  it('add up with corrections of owners', async () => {
    const [former, right] = [await anybody(), await anybody()]
    const account = await assigned(former, '6000.00')
    assert.equal(await correct(setup.staff, account, right.number), false)
  })

  it('do not count where two people decided', async () => {
    const { number } = await anybody()
    const { id } = await ownerless('20000.00')
    await give(setup.staff, id, number)
    await give(colleague, id, number)
    const other = await ownerless('9000.00')
    assert.equal((await give(colleague, other.id, number)).is_waiting, false)
  })

  it('add up with the deposits of the member, which the same person approves', async () => {
    const { memberId, number } = await anybody()
    await approveDocuments(setup.system, memberId)
    const accountId = await assigned({ number }, '6000.00')
    const method = { payment_method: 'manual', amount: '5000.00' }
    const deposit = await addTransaction(setup.system, {
      memberId,
      accountId,
      type: 'deposit',
      state: 'pending',
      ...method,
    })
    await approveDeposit(setup.staff, deposit)
    const read = () =>
      reading(setup.system, (tx) =>
        tx
          .selectFrom('balance_transactions')
          .where(here)
          .select('state')
          .where('transaction_id', '=', deposit)
          .executeTakeFirst(),
      )
    assert.equal((await read())?.state, 'pending')
  })
})

describe('the correction of a wrong owner', () => {
  it('moves an account on which no money was moved, in the history of both members', async () => {
    const [former, right] = [await anybody(), await anybody()]
    const id = await assigned(former)
    assert.equal((await readAccountForDesk(setup.staff, id)).may_correct_owner, true)
    assert.equal(await correct(setup.staff, id, right.number), true)
    assert.equal(await ownerOf(id), right.memberId)
    assert.deepEqual([await wordsOf(former.memberId, id), await wordsOf(right.memberId, id)], [0, 1])
    assert.deepEqual(await actionsAbout(former.memberId), ['account.owner-removed'])
    assert.deepEqual(await actionsAbout(right.memberId), ['account.owner-corrected'])
    await assert.rejects(correct(setup.staff, id, right.number), {
      details: { errors: { customer_number: [accountOwnerTexts.isOwner] } },
    })
  })

  it('asks the right owner for new passwords, because the wrong one may know the old ones', async () => {
    const [former, right] = [await anybody(), await anybody()]
    const id = await assigned(former)
    const due = async () => (await readAccountForDesk(setup.staff, id)).passwords_due
    assert.deepEqual(await due(), [])
    await correct(setup.staff, id, right.number)
    assert.deepEqual(await due(), ['main', 'investor'])
    const { platform_login: login } = await readAccountForDesk(setup.staff, id)
    const noticesOf = (memberId: string) =>
      reading(setup.system, (tx) =>
        tx
          .selectFrom('notices')
          .where(here)
          .select(['title', 'details', 'target_id'])
          .where('member_id', '=', memberId)
          .execute(),
      )
    assert.deepEqual(await noticesOf(right.memberId), [
      { title: 'Trading account {{login}} was assigned to you', details: { login }, target_id: id },
    ])
    assert.deepEqual(await noticesOf(former.memberId), [])
    const change = async (memberId: string, which: 'main' | 'investor') => {
      const { sessionId } = await openTestSession(setup.system, { kind: 'member', id: memberId })
      const member = { ...(await memberActor(setup.system, memberId)), sessionId }
      await changeTradingPassword(member, { accountId: id, which, password: `Own#${which}#71A` })
    }
    await assert.rejects(change(former.memberId, 'main'), { code: 'not_found' })
    assert.deepEqual(await due(), ['main', 'investor'])
    await change(right.memberId, 'main')
    assert.deepEqual(await due(), ['investor'])
    await change(right.memberId, 'investor')
    assert.deepEqual(await due(), [])
  })

  it('sends the details of the right owner to the platform, which may hold those of the wrong one', async () => {
    const [former, right] = [await anybody(), await anybody()]
    const id = await assigned(former)
    const due = () =>
      setup.context.database.pool.query(
        `select from pgboss.job where name = 'openings.change-person' and data ->> 'id' = $1`,
        [id],
      )
    assert.equal((await due()).rowCount, 0)
    await correct(setup.staff, id, right.number)
    assert.equal((await due()).rowCount, 1)
  })

  it('takes two people above the threshold, and a word from before a correction counts for nothing', async () => {
    const [former, right] = [await anybody(), await anybody()]
    const id = await assigned(former, '20000.00')
    assert.equal(await correct(setup.staff, id, right.number), false)
    assert.equal((await readAccountForDesk(colleague, id)).owner_proposed?.customer_number, right.number)
    await assert.rejects(correct(setup.staff, id, right.number), { message: moneyDecisionTexts.approvedByYou })
    assert.equal(await correct(colleague, id, right.number), true)
    setup.context.clock.advance(1_000)
    assert.equal(await correct(colleague, id, former.number), false)
    assert.equal(await correct(setup.staff, id, former.number), true)
    setup.context.clock.advance(1_000)
    assert.equal(await correct(colleague, id, right.number), false)
    assert.equal(await ownerOf(id), former.memberId)
  })

  it('is refused once money was moved on it here', async () => {
    const [former, right] = [await anybody(), await anybody()]
    const accountId = await assigned(former)
    await addTransaction(setup.system, { memberId: former.memberId, accountId, type: 'withdrawal', state: 'pending' })
    assert.equal((await readAccountForDesk(setup.staff, accountId)).may_correct_owner, false)
    await assert.rejects(correct(setup.staff, accountId, right.number), { message: accountOwnerTexts.isUsed })
    assert.equal(await ownerOf(accountId), former.memberId)
  })

  it("is refused about a staff member's own account, before and after", async () => {
    const made = await addStaff(setup.system, { role: 'finance' })
    const own = staffActor(setup.system, made)
    const [self, other] = [await anybody({ email: made.email.toUpperCase() }), await anybody()]
    const id = await assigned(other)
    await assert.rejects(correct(own, id, self.number), { code: 'not_permitted' })
    assert.equal(await correct(setup.staff, id, self.number), true)
    await assert.rejects(correct(own, id, other.number), { code: 'not_permitted' })
  })

  it('is taken once of two at the same time, and in its workspace only', async () => {
    const [former, one, other] = [await anybody(), await anybody(), await anybody()]
    const id = await assigned(former)
    const settled = await Promise.allSettled([
      correct(setup.staff, id, one.number),
      correct(colleague, id, other.number),
    ])
    assert.ok(settled.some(({ status }) => status === 'fulfilled'))
    assert.ok([one.memberId, other.memberId].includes(await ownerOf(id)))
    const elsewhere = await addWorkspace(setup.context)
    const stranger = staffActor(elsewhere, await addStaff(elsewhere))
    await assert.rejects(correct(stranger, id, former.number), { code: 'not_found' })
    const viewer = staffActor(setup.system, await addStaff(setup.system, { role: 'viewer' }))
    await assert.rejects(correct(viewer, id, former.number), { code: 'not_permitted' })
  })
})
