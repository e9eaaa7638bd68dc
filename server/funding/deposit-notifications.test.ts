// spec: OP notifications
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import {
  approveOne,
  makePendingDeposit,
  openTradingFixture,
  processUntilSettled,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, memberActor } from '../../tests/fixtures/workspaces.ts'
import { rejectDeposit } from '../deposits/decision.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { settleIntent } from './crediting/crediting.ts'
import { notifyDepositor } from './deposit-notifications.ts'

let setup: TradingFixture

before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

function notificationsAbout(transactionId: string) {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('notices')
      .select(['kind', 'member_id', 'title', 'details', 'target_kind'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('target_id', '=', transactionId)
      .execute(),
  )
}

async function mailsAbout(word: string): Promise<number> {
  const { email } = await reading(setup.system, (tx) =>
    tx
      .selectFrom('members')
      .select('email')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('member_id', '=', setup.member.memberId)
      .executeTakeFirstOrThrow(),
  )
  return (await mailsTo(setup.system, email)).filter(({ subject }) => subject.includes(word)).length
}

test('notifies the member of a credited deposit once, with the amount and the account', async () => {
  const approved = await approveOne(setup, '250.00')
  assert.deepEqual(await notificationsAbout(approved.depositId), [])
  await processUntilSettled(setup, approved)
  await settleIntent(setup.system, approved.intentId)
  const [notification, ...more] = await notificationsAbout(approved.depositId)
  assert.deepEqual(more, [])
  assert.deepEqual([notification?.kind, notification?.member_id], ['deposit.approved', setup.member.memberId])
  const { amount, account, ticket } = (notification?.details ?? {}) as Record<string, string>
  assert.deepEqual([amount, account], ['250.00 USD', '700123'])
  assert.equal(await mailsAbout(`T-${ticket} was credited`), 1)
})

test('a rejection gives the reason and the next step, without the notes of staff', async () => {
  const deposit = await makePendingDeposit(setup)
  await rejectDeposit(setup.staff, deposit, { reason: 'receipt_unreadable', note: 'CANARY' })
  const [notification, ...more] = await notificationsAbout(deposit)
  assert.deepEqual(more, [])
  const { sentence, next, ticket } = (notification?.details ?? {}) as Record<string, string>
  assert.equal(notification?.kind, 'deposit.rejected')
  assert.match(`${sentence} ${next}`, /could not read the receipt.*clear picture/)
  assert.ok(!JSON.stringify(notification).includes('CANARY'))
  assert.equal(await mailsAbout(`T-${ticket} was not accepted`), 1)
})

test('demo funds send no notification, and a repeated event notifies once', async () => {
  const deposit = await makePendingDeposit(setup)
  const notifyAgain = () =>
    inTransaction(setup.system, (tx) => notifyDepositor(tx, setup.system, deposit, { what: 'approved' }))
  const live = (live_account: boolean) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set({ live_account })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', setup.accountId)
        .execute(),
    )
  await live(false)
  await notifyAgain()
  assert.deepEqual(await notificationsAbout(deposit), [])
  await live(true)
  await Promise.all([notifyAgain(), notifyAgain(), notifyAgain()])
  assert.equal((await notificationsAbout(deposit)).length, 1)
  const other = await memberActor(setup.system, (await addMember(setup.system)).memberId)
  await assert.rejects(inTransaction(other, (tx) => notifyDepositor(tx, other, deposit, { what: 'approved' })))
})
