import { subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { exceptionTexts, uncreditableTexts } from '@atrium/contract/payments/exceptions.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { isProvider } from '@atrium/contract/withdrawals/calls.ts'
import type { Staff } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { isErased, lockColleague } from '../../foundation/database/member-lock.ts'
import { assertState, refuse, refuseFields } from '../../foundation/errors.ts'
import { writeIntent } from '../../funding/crediting/intent.ts'
import { creditObstacle } from '../../funding/group-kind.ts'
import {
  lockTransaction,
  moveTransaction,
  recordEvent,
  reportAfterEnd,
  type TransactionRow,
} from '../../funding/transaction.ts'
import { describeApprovalSubject } from '../../funding/transaction-approvals.ts'
import { notifyOwner } from '../../funding/withdrawal-notifications.ts'
import { recordApprovals } from '../../money-decisions/approvals.ts'
import { isRepeated } from '../../money-decisions/decided-once.ts'
import { type Decider, decideByAmount } from '../../money-decisions/policy.ts'
import { countApprovalsNeeded } from '../../money-decisions/second-approval.ts'
import { readProvider } from '../connections/provider.ts'
import { holdPayout } from '../payouts/payout-order.ts'
import { insertTransaction } from '../transaction.ts'
import {
  approversOf,
  close,
  creditingException,
  type Details,
  decidedBy,
  neededAfter,
  propose,
  refuseUnseen,
  requireDetails,
  type Shown,
} from './decision-record.ts'
import type { PaymentException } from './exception.ts'
import { creditOfReturn, returnedAgain, settledOf } from './returned-payout.ts'

type Held = {
  asked: PaymentException
  withdrawal: TransactionRow
  /** The provider that paid it; null for a transfer that staff made by hand. */
  uid: string | null
  /** When the payment was created. */
  askedAt: Date
  paid: { amount: string; currency: string; settled: string }
  creditable: string | null
}

/**
 * Decides about a paid payout or a transfer by hand that came back: credits the returned amount to the account that it
 * left as a deposit of its own, or closes the exception as paid again outside of the program or as explained. Every
 * decision takes as many people as the withdrawal, because each of them ends the member's claim.
 */
export async function decideReturned(
  tx: Tx,
  staff: Staff,
  seen: PaymentException,
  { shown, ...details }: Details & { shown: Shown },
): Promise<void> {
  const held = await holdReturned(tx, staff, seen)
  const { asked, withdrawal, paid, creditable } = held
  if (await isRepeated(tx, staff, withdrawal.member_id)) return
  if (asked.state === 'closed') refuse('illegal_move', exceptionTexts.decided)
  refuseUnseen(asked, shown)
  const isCredit = details.decision === 'credit_paid' || details.decision === 'credit_agreed'
  if (!isCredit) requireDetails(details)
  else if (details.decision !== 'credit_paid' || creditable === null)
    refuseFields({ decision: [exceptionTexts.returnUnfit] })
  else await refuseUncreditable(tx, staff, withdrawal)
  const approvedBy = approversOf(asked, details)
  const decider = await decideByAmount(tx, staff, creditingException, {
    ...(await describeApprovalSubject(tx, staff, withdrawal)),
    ...{ amount: creditable ?? paid.amount, approvedBy },
    neededAtRequest: neededAfter(asked, await neededFor(tx, staff, held)),
  })
  if (!decider) return propose(tx, staff, { asked, of: withdrawal }, details)
  if (isCredit && creditable !== null) return credit(tx, decider, held, { ...details, amount: creditable, approvedBy })
  await close(tx, staff, { asked, of: withdrawal }, { ...details, ...decidedBy(staff) })
  await noteDecision(tx, staff, held, details.decision === 'given_back' ? 'Paid again outside of Atrium' : 'Explained')
  if (details.decision !== 'given_back' || details.outside_reference === null) return
  await notifyOwner(tx, staff, withdrawal.transaction_id, {
    what: 'paid_again',
    reference: details.outside_reference,
    about: asked.case_id,
  })
}

/**
 * As many as the withdrawal. The amount of a transfer by hand is a colleague's word, so its credit counts like a deposit
 * of that amount too, and small ones add up. That a payout came back once more is their word altogether: two people.
 */
async function neededFor(tx: Tx, staff: Staff, { asked, withdrawal, uid, creditable }: Held): Promise<number> {
  if (asked.why === returnedAgain) return 2
  if (uid !== null || creditable === null) return withdrawal.approvals_needed
  const subject = await describeApprovalSubject(tx, staff, withdrawal)
  await lockColleague(tx, staff, creditingException.right)
  const asDeposit = { ...subject, type: 'deposit', amount: creditable, approvedBy: [] } as const
  return countApprovalsNeeded(tx, staff, asDeposit)
}

/** Nothing is credited to an erased member, or to an account that takes no credit. */
async function refuseUncreditable(tx: Tx, staff: Staff, { member_id, account_id }: TransactionRow): Promise<void> {
  if (await isErased(tx, staff, member_id)) refuse('conflict', deskTexts.memberErased)
  const why = await creditObstacle(tx, staff, account_id)
  if (why) refuse('conflict', uncreditableTexts[why])
}

/** Locks withdrawal, payout, then exception, as reports do, so that two decisions about one payment see each other. */
async function holdReturned(tx: Tx, staff: Staff, seen: PaymentException): Promise<Held> {
  const payment = seen.withdrawal_id === null ? await holdPaid(tx, staff, seen) : await holdTransfer(tx, staff, seen)
  const asked = await tx
    .selectFrom('payment_cases')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('case_id', '=', seen.case_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { ...payment, asked, creditable: creditOfReturn(asked, payment.paid) }
}

type Payment = Omit<Held, 'asked' | 'creditable'>

async function holdPaid(tx: Tx, staff: Staff, { payout_id }: PaymentException): Promise<Payment> {
  assertState(payout_id, 'a returned payout without its payout')
  const held = await holdPayout(tx, staff, payout_id)
  assertState(held, 'a payment exception without its payout')
  const { payout, withdrawal } = held
  const { app_uid: uid } = await readProvider(tx, staff, payout.provider_id)
  const paid = await tx
    .selectFrom('payout_orders as payout')
    .select(['payout.amount', 'payout.currency', settledOf('payout').as('settled')])
    .where('payout.workspace_id', '=', staff.workspaceId)
    .where('payout.payout_id', '=', payout_id)
    .executeTakeFirstOrThrow()
  return { withdrawal, uid, askedAt: payout.created_at, paid }
}

async function holdTransfer(tx: Tx, staff: Staff, { withdrawal_id }: PaymentException): Promise<Payment> {
  assertState(withdrawal_id, 'a returned transfer without its withdrawal')
  const withdrawal = await lockTransaction(tx, staff, withdrawal_id)
  const { amount, fee, currency, created_at: askedAt } = withdrawal
  const { settled } = await tx
    .selectFrom('balance_transactions as withdrawal')
    .select(settledOf('withdrawal').as('settled'))
    .where('withdrawal.workspace_id', '=', staff.workspaceId)
    .where('withdrawal.transaction_id', '=', withdrawal_id)
    .executeTakeFirstOrThrow()
  const paid = { amount: toScale(subtractAmounts(amount, fee), currency), currency, settled }
  return { withdrawal, uid: null, askedAt, paid }
}

type Credit = Details & { amount: string; approvedBy: readonly string[] }

/** Transaction, intent, exception and audit entries are one commit, from which the credit follows exactly once. */
async function credit(tx: Tx, staff: Decider<'by-amount'>, held: Held, { amount, approvedBy, ...details }: Credit) {
  const { asked, withdrawal, uid, askedAt } = held
  const { member_id: memberId, account_id: accountId, currency, destination } = withdrawal
  const deposit = await insertTransaction(tx, staff, {
    ...{ memberId, accountId, amount, currency, uid },
    destination: destination && isProvider(destination) ? destination : null,
    returns: withdrawal.transaction_id,
    comment: `Withdrawal T-${withdrawal.ticket} came back`,
    // As old as its payment: after a restored backup an earlier credit is searched for on the platform first.
    askedAt,
  })
  await moveTransaction(tx, staff, deposit, {
    to: 'crediting',
    event: 'deposit.approved-by-desk',
    set: decidedBy(staff),
  })
  await recordApprovals(tx, staff, deposit, [...approvedBy, staff.staffId])
  await writeIntent(tx, staff, deposit)
  const set = { ...details, ...decidedBy(staff), transaction_id: deposit.transaction_id }
  await close(tx, staff, { asked, of: withdrawal }, set)
  await noteDecision(tx, staff, held, `Credited back as T-${deposit.ticket}`)
  await notifyOwner(tx, staff, withdrawal.transaction_id, {
    what: 'came_back',
    credited: amount,
    by: String(deposit.ticket),
    about: asked.case_id,
  })
}

/** In the history of the withdrawal, after the report of the return. */
function noteDecision(tx: Tx, staff: Staff, { withdrawal }: Held, note: string): Promise<void> {
  return recordEvent(tx, staff, withdrawal, reportAfterEnd, note)
}
