import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { type PayoutReason, retryReasons, unsentReasons } from '@atrium/contract/payments/payouts.ts'
import { isProvider } from '@atrium/contract/withdrawals/calls.ts'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../../foundation/errors.ts'
import { retryingWithdrawal } from '../../funding/crediting/stuck-credit.ts'
import { refuseUnpayable, refuseUnproven } from '../../funding/payable.ts'
import { lockTransaction, recordEvent, type TransactionRow } from '../../funding/transaction.ts'
import { isRepeated } from '../../money-decisions/decided-once.ts'
import { type Decider, decide, definePolicy } from '../../money-decisions/policy.ts'
import { findProvider } from '../connections/provider.ts'
import { isReportedPaid } from './hand-payment.ts'
import { enqueueTask, insertPayout, lockCurrentPayout, movePayout, type Payout } from './payout-order.ts'

export const payingByProvider = definePolicy({
  name: 'withdrawal.pay-by-provider',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'The withdrawal and its beneficiary already have the approvals that the amount requires.',
  sends: true,
})

const isForStaff = ({ state, staff_reason }: Payout, reasons: readonly PayoutReason[]): boolean =>
  state === 'for_staff' && reasons.includes(staff_reason as PayoutReason)

/**
 * Updates the payout in the transaction of the staff decision about its withdrawal. Staff cannot decide while the
 * provider may still pay: the member would be paid twice, or paid and reversed.
 */
export async function followPayment(
  tx: Tx,
  by: Decider,
  withdrawal: TransactionRow,
  to: 'paid' | 'recorded' | 'declined',
): Promise<void> {
  const payout = await lockCurrentPayout(tx, by, withdrawal.transaction_id)
  // A payout that the provider may have made is recorded as it was. Another payment requires an approved identity and
  // no hold, but since staff may have made it before a lock, that refuses it only while the program may still pay.
  const isUnsent = !payout || payout.state === 'created' || isForStaff(payout, unsentReasons)
  const refuseUnready = payout?.state === 'created' ? refuseUnpayable : refuseUnproven
  if (to === 'paid' && isUnsent) await refuseUnready(tx, by, withdrawal)
  if (!payout) return
  if (payout.state === 'created') return movePayout(tx, by, payout, 'dropped')
  if (payout.state !== 'for_staff') refuse('illegal_move', withdrawalDeskTexts.providerHasIt)
  await movePayout(tx, by, payout, isUnsent ? 'dropped' : to === 'declined' ? to : 'paid')
}

/**
 * Sends a debited withdrawal to its provider: the first attempt where staff start payouts, or a new one after the last
 * is known not to be there. Each attempt has a new id, so a late outcome of an earlier one is recognised.
 */
export async function payByProvider(staff: Staff, transactionId: string): Promise<void> {
  authorizeStaff(staff, payingByProvider.right)
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockTransaction(tx, staff, transactionId)
    if (withdrawal.type !== 'withdrawal') refuseNotFound()
    if (await isRepeated(tx, staff, withdrawal.member_id)) return
    const decider = await decide(tx, staff, payingByProvider, { memberId: withdrawal.member_id })
    if (withdrawal.state !== 'paying' || !isProvider(withdrawal.destination ?? ''))
      refuse('illegal_move', withdrawalDeskTexts.notPayable)
    await refuseUnpayable(tx, staff, withdrawal)
    const provider = await findProvider(tx, staff, withoutProviderPrefix(withdrawal.destination ?? ''))
    if (!provider?.enabled) refuse('conflict', withdrawalDeskTexts.providerOff)
    if (await isReportedPaid(tx, staff, withdrawal)) refuse('illegal_move', withdrawalDeskTexts.reportedPaid)
    const current = await lockCurrentPayout(tx, staff, transactionId)
    if (current && isForStaff(current, ['beneficiary_changed']))
      refuse('illegal_move', withdrawalDeskTexts.beneficiaryChanged)
    if (current && !isForStaff(current, retryReasons)) refuse('illegal_move', withdrawalDeskTexts.providerHasIt)
    if (current) await movePayout(tx, decider, current, 'dropped')
    await insertPayout(tx, decider, withdrawal)
    await recordEvent(tx, staff, withdrawal, 'withdrawal.payout-started')
  })
  staff.context.jobs.wake('payments.visit-payout')
}

/** Queries the provider now instead of in the next round. False when there is nothing to query. */
export async function askAgainAboutPayout(staff: Staff, transactionId: string): Promise<boolean> {
  authorizeStaff(staff, retryingWithdrawal.right)
  const isAsked = await inTransaction(staff, async (tx) => {
    const { type, state, member_id: memberId } = await lockTransaction(tx, staff, transactionId)
    await decide(tx, staff, retryingWithdrawal, { memberId })
    if (type !== 'withdrawal' || state !== 'paying') return false
    const payout = await lockCurrentPayout(tx, staff, transactionId)
    if (!payout || payout.state === 'created') return false
    await enqueueTask(tx, staff, payout.payout_id)
    return true
  })
  if (isAsked) staff.context.jobs.wake('payments.visit-payout')
  return isAsked
}
