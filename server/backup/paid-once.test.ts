// spec: OP backups

/**
 * A machine is lost; its last backup is minutes old, and the provider has since paid withdrawals that the backup shows
 * as unpaid. Each withdrawal is named after its state at the backup.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { backUp, makeArchive, restoreElsewhere } from '../../tests/fixtures/backups.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  sendZotaWebhook,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import {
  askPayout,
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  processLatest,
  readPayouts,
} from '../../tests/fixtures/payments/payouts.ts'
import { provenMember, settleLatest } from '../../tests/fixtures/payments/withdrawals.ts'
import { readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { markPaidOut } from '../payments/payouts/payout.ts'
import { payByProvider } from '../payments/payouts/payout-decision.ts'
import { applyPayoutReport } from '../payments/payouts/payout-settle.ts'
import { processDuePayouts } from '../payments/payouts/process-payout.ts'
import { readDeskWithdrawal } from '../withdrawals/desk-withdrawals.ts'
import { approveWithdrawal } from '../withdrawals/withdrawal-decision.ts'

let setup: PaymentFixture
let there: PaymentFixture
let payee: Payee
let withdrawals: Record<
  'debiting' | 'created' | 'notified' | 'differing' | 'untouched' | 'accepted' | 'waiting',
  string
>
const place = makeArchive()
before(async () => {
  setup = await openPaymentFixture()
  await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
  const [created, notified, differing] = [await debited(), await debited(), await debited()]
  const [untouched, accepted] = [await debited(), await debited()]
  await processLatest(setup, accepted)
  const debiting = await askPayout('zotapay', payee)
  await approveWithdrawal(setup.staff, debiting)
  const waiting = await debited()
  await processLatest(setup, waiting)
  assert.deepEqual(await notifyPaid(setup, waiting, '1.00'), { outcome: 'for_staff', why: 'amount_differs' })
  assert.equal((await readDeskWithdrawal(setup.staff, waiting)).before_restore, false)
  withdrawals = { debiting, created, notified, differing, untouched, accepted, waiting }
  const { backup } = await backUp(place.archive, setup)
  await payHere(created)
  await payHere(notified)
  await settleLatest(setup, debiting)
  await payHere(debiting)
  await declineHere(accepted)
  await markPaidOut(setup.staff, waiting, 'paid by hand')
  setup.context.clock.advance(10 * 60_000)
  there = await startElsewhere(backup)
})
after(async () => {
  await there.close()
  await setup.close()
  place.remove()
})

const debited = () => debitPayout(setup, 'zotapay', payee)

async function startElsewhere(backup: string): Promise<PaymentFixture> {
  const made = await restoreElsewhere(place.archive, setup, backup)
  made.context.config.port = setup.context.config.port
  made.context.clock.advance(60_000)
  const system = systemActor(made.context, setup.system.workspaceId)
  const [member, staff] = [
    { ...setup.member, context: made.context },
    { ...setup.staff, context: made.context },
  ]
  return { ...setup, ...made, system, member, staff }
}

async function payHere(id: string): Promise<void> {
  await processLatest(setup, id)
  const { attempt } = await latestPayout(setup, id)
  setup.zota.set(attempt, 'APPROVED')
  await sendZotaWebhook(setup, attempt)
  await processLatest(setup, id)
  assert.equal((await readTransaction(setup, id)).state, 'approved')
}

async function declineHere(id: string): Promise<void> {
  setup.zota.set((await latestPayout(setup, id)).attempt, 'DECLINED', 'Account closed')
  assert.equal(await processLatest(setup, id), 'declined')
  assert.equal(await settleLatest(setup, id), 'rejected')
}

test('does not pay a withdrawal again that was being debited, until staff decide', async () => {
  const { debiting } = withdrawals
  const calls = setup.zota.payoutCalls()
  assert.equal((await readTransaction(there, debiting)).state, 'debiting')
  assert.equal(await settleLatest(there, debiting), 'paying', 'the debit is found by its tag')
  assert.deepEqual(await readPayouts(there, debiting), [])
  assert.equal(setup.zota.payoutCalls(), calls)

  await payByProvider(there.staff, debiting)
  assert.equal(await processLatest(there, debiting), 'accepted', 'a payout that staff start is sent')
})

test('applies a notification of a payment made after the backup, without manual review', async () => {
  // The notification must be enough by itself, since the provider sends it once and may not answer a query.
  assert.deepEqual(await notifyPaid(there, withdrawals.notified, '250.00'), { outcome: 'applied' })
  assert.equal((await latestPayout(there, withdrawals.notified)).state, 'paid')
  assert.equal((await readTransaction(there, withdrawals.notified)).state, 'approved')
})

test('sends a notification with another amount to manual review', async () => {
  assert.deepEqual(await notifyPaid(there, withdrawals.differing, '1.00'), {
    outcome: 'for_staff',
    why: 'amount_differs',
  })
  const { state, staff_reason } = await latestPayout(there, withdrawals.differing)
  assert.deepEqual([state, staff_reason], ['for_staff', 'amount_differs'])
})

async function notifyPaid(where: PaymentFixture, id: string, amount: string) {
  const { payout_id, attempt } = await latestPayout(where, id)
  const reported = { attempt, reference: null, state: 'paid', amount, currency: 'USD' } as const
  const report = { ...reported, reason: null, word: 'APPROVED' }
  return inTransaction(where.system, (tx) => applyPayoutReport(tx, where.system, payout_id, report))
}

test('queries a payout that was about to be sent, and never sends it', async () => {
  const { created, untouched } = withdrawals
  const calls = setup.zota.payoutCalls()
  for (const id of [created, untouched]) assert.equal((await latestPayout(there, id)).state, 'created')
  assert.ok((await processDuePayouts(there.system)) >= 2)
  assert.equal(await processLatest(there, created), 'paid', 'the provider has it under its attempt id')
  assert.equal((await readTransaction(there, created)).state, 'approved')

  assert.equal(await processLatest(there, untouched), 'checking')
  there.context.clock.advance(31 * 60_000)
  assert.equal(await processLatest(there, untouched), 'for_staff')
  assert.equal((await latestPayout(there, untouched)).staff_reason, 'not_known')
  assert.equal(setup.zota.payoutCalls(), calls)
})

test('leaves the reversal of a declined payout to staff, since it may have been made', async () => {
  const { accepted } = withdrawals
  assert.equal(await processLatest(there, accepted), 'for_staff')
  assert.equal((await latestPayout(there, accepted)).staff_reason, 'restored')
  assert.equal((await readTransaction(there, accepted)).state, 'paying')
  assert.equal((await readIntents(there, accepted)).length, 1, 'no reversal is written')
})

test('marks a withdrawal already in manual review until it is decided', async () => {
  const { waiting } = withdrawals
  const read = () => readDeskWithdrawal(there.staff, waiting)
  const { state, payouts, before_restore } = await read()
  assert.deepEqual([state, payouts[0]?.state, payouts[0]?.why], ['paying', 'for_staff', 'amount_differs'])
  assert.equal(before_restore, true)
  await markPaidOut(there.staff, waiting, 'paid by hand')
  const decided = await read()
  assert.deepEqual([decided.state, decided.before_restore], ['approved', false])
})

test('pays a withdrawal requested after the restore as usual', async () => {
  // A restore ends all sessions.
  const id = await askPayout('zotapay', { ...payee, member: await provenMember(there) })
  await approveWithdrawal(there.staff, id)
  await settleLatest(there, id)
  assert.equal((await readDeskWithdrawal(there.staff, id)).before_restore, false)
  assert.equal(await processLatest(there, id), 'accepted')
})
