import {
  type decideException as decideCall,
  type ExceptionDecision,
  exceptionTexts,
  uncreditableTexts,
} from '@atrium/contract/payments/exceptions.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { assertState, refuse, refuseFields, refuseNotFound } from '../../foundation/errors.ts'
import { writeIntent } from '../../funding/crediting/intent.ts'
import { notifyDepositor } from '../../funding/deposit-notifications.ts'
import { creditObstacle } from '../../funding/group-kind.ts'
import { refuseUnverifiedDeposit } from '../../funding/identity-rule.ts'
import { moveTransaction, type TransactionRow } from '../../funding/transaction.ts'
import { describeApprovalSubject } from '../../funding/transaction-approvals.ts'
import { recordApprovals } from '../../money-decisions/approvals.ts'
import { isRepeated } from '../../money-decisions/decided-once.ts'
import { type Decider, decide, decideByAmount } from '../../money-decisions/policy.ts'
import { readProvider } from '../connections/provider.ts'
import { canMove, moveOrder, type Order } from '../order.ts'
import { type Held, holdOrder } from '../settle.ts'
import { insertTransaction } from '../transaction.ts'
import {
  approversOf,
  close,
  closingException,
  creditingException,
  type Decided,
  type Details,
  decidedBy,
  neededAfter,
  propose,
  refuseUnseen,
  requireDetails,
} from './decision-record.ts'
import { claimOf, claimPayment, isReference, type PaymentException } from './exception.ts'
import { creditOf } from './exception-credit.ts'
import { isRefusedCredit, lockRefusedCredits, lockRefusedDeposit } from './refused-credit.ts'
import { decideReturned } from './returned-decision.ts'

type Given = z.output<(typeof decideCall)['input']>
/** `order` is null for the refused credit of a returned payout, which has none. */
type Asked = { order: Order | null; deposit: TransactionRow; asked: PaymentException }
type AskedOfOrder = Asked & { order: Order }

/**
 * Decides a payment exception: credits the agreed or the paid amount, for which two people must decide the same above
 * the workspace's amount, or closes it as refunded outside of the system or as explained. Transaction, order, exception
 * and audit entry are one commit, which claims the payment so that it cannot be credited twice.
 */
export async function decideException(staff: Staff, given: Given): Promise<void> {
  const { id, decision, note, outside_reference, seen: proposed, seen_reference } = given
  authorizeStaff(staff, creditingException.right)
  const details = { decision, note: note || null, outside_reference: outside_reference || null }
  const shown = { seen: proposed, seen_reference }
  await inTransaction(staff, async (tx) => {
    const seen = await exceptionBy(tx, staff, id).executeTakeFirst()
    if (!seen) refuseNotFound()
    if (seen.order_id === null && !isRefusedCredit(seen)) return decideReturned(tx, staff, seen, { ...details, shown })
    const held = await holdException(tx, staff, seen)
    if (await isRepeated(tx, staff, held.deposit.member_id)) return
    if (held.asked.state === 'closed') refuse('illegal_move', exceptionTexts.decided)
    refuseUnseen(held.asked, shown)
    if (decision === 'given_back' || decision === 'explained') requireDetails(details)
    if (isRefusedCredit(held.asked)) return decideRefused(tx, staff, held, details)
    if (decision === 'given_back' || decision === 'explained') {
      const closer = await decide(tx, staff, closingException, { memberId: held.deposit.member_id })
      return end(tx, closer, held, details)
    }
    const { order } = held
    assertState(order, 'a payment exception without its order')
    await decideCredit(tx, staff, { ...held, order }, details)
  })
  staff.context.jobs.wake('funding.settle-intent')
}

async function decideCredit(tx: Tx, staff: Staff, held: AskedOfOrder, details: Details): Promise<void> {
  const { asked, order, deposit } = held
  const obstacle = await creditObstacle(tx, staff, order.account_id)
  if (obstacle) refuse('conflict', uncreditableTexts[obstacle])
  const amount = creditOf(details.decision, asked, order)
  if (amount === null)
    refuseFields({ decision: [asked.kind === 'returned' ? exceptionTexts.notCreditable : exceptionTexts.paidUnfit] })
  const { member_id: memberId, transaction_id: except, currency } = deposit
  // Another payment of a credited deposit is money beside it.
  const own = isUndecided(held) ? { except } : {}
  await refuseUnverifiedDeposit(tx, staff, { memberId, amount, currency, ...own })
  const approvedBy = approversOf(asked, details)
  const decider = await decideByAmount(tx, staff, creditingException, {
    ...(await describeApprovalSubject(tx, staff, deposit)),
    ...{ amount, approvedBy, neededAtRequest: neededAfter(asked, 1) },
  })
  if (!decider) return propose(tx, staff, { asked, of: deposit }, details)
  await credit(tx, decider, held, { ...details, amount, approvedBy })
}

/** Locks transaction, order, then exception, the lock order of all code. */
async function holdException(tx: Tx, staff: Staff, seen: PaymentException): Promise<Asked> {
  const refused = await lockRefusedDeposit(tx, staff, seen)
  const held = seen.order_id === null ? null : await holdOrder(tx, staff, seen.order_id)
  const deposit = refused ?? held?.deposit
  assertState(deposit, 'a payment exception without its transaction')
  const asked = await exceptionBy(tx, staff, seen.case_id).forUpdate().executeTakeFirstOrThrow()
  return { order: held?.order ?? null, deposit, asked }
}

const exceptionBy = (tx: Tx, staff: Staff, exceptionId: string) =>
  tx
    .selectFrom('payment_cases')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('case_id', '=', exceptionId)

type Credit = Details & { amount: string; approvedBy: readonly string[] }

async function credit(
  tx: Tx,
  staff: Decider<'by-amount'>,
  held: AskedOfOrder,
  { amount, approvedBy, ...details }: Credit,
) {
  const { asked, order, deposit } = held
  const transaction = await transactionFor(tx, staff, held, { amount, decision: details.decision })
  const { provider_time } = asked
  const { provider_id } = order
  const payment = claimOf(asked)
  const { transaction_id } = transaction
  const isFirst = await claimPayment(tx, staff, { provider_id, payment, transaction_id, provider_time })
  if (!isFirst) refuse('conflict', exceptionTexts.creditedBefore)
  await moveTransaction(tx, staff, transaction, {
    to: 'crediting',
    event: 'deposit.approved-by-desk',
    set: decidedBy(staff),
  })
  await recordApprovals(tx, staff, transaction, [...approvedBy, staff.staffId])
  await writeIntent(tx, staff, transaction)
  const set = { ...details, ...decidedBy(staff), transaction_id: transaction.transaction_id }
  // First: the end of the order closes a review of its pending payment as explained.
  await close(tx, staff, { asked, of: deposit }, set)
  if (canMove(order.state, 'paid'))
    await moveOrder(tx, staff, order, 'paid', {
      transaction_id: transaction.transaction_id,
      ...(order.reference === null &&
        asked.why !== 'reference_taken' &&
        isReference(order, payment) && { reference: payment }),
    })
}

/** Whether the order's own transaction waits for its payment: the decision credits or ends it. */
const isUndecided = ({ order, deposit }: AskedOfOrder): boolean =>
  order.state === 'for_staff' && deposit.state === 'pending'

/** The pending transaction if it is for this amount; otherwise a new one, and the pending one is closed. */
async function transactionFor(
  tx: Tx,
  staff: Decider,
  held: AskedOfOrder,
  { amount, decision }: { amount: string; decision: ExceptionDecision },
): Promise<TransactionRow> {
  const { order, deposit } = held
  const isWaiting = isUndecided(held)
  if (isWaiting && decision === 'credit_agreed') return deposit
  if (isWaiting) await turnDown(tx, staff, deposit, 'amount_differs')
  const { app_uid: uid } = await readProvider(tx, staff, order.provider_id)
  const { member_id: memberId, account_id: accountId, currency, created_at: askedAt } = order
  const { comment } = deposit
  const paid = await insertTransaction(tx, staff, { memberId, accountId, amount, currency, uid, comment, askedAt })
  if (isWaiting) await notifyDepositor(tx, staff, deposit.transaction_id, { what: 'replaced', by: String(paid.ticket) })
  return paid
}

function turnDown(tx: Tx, staff: Decider, deposit: TransactionRow, reason: 'amount_differs' | 'other'): Promise<void> {
  return moveTransaction(tx, staff, deposit, {
    to: 'rejected',
    event: 'deposit.rejected',
    set: { ...decidedBy(staff), rejection_reason: reason },
  })
}

/**
 * A paid deposit that the platform refused ends only as refunded, with as many approvals as its credit needs; another
 * approval of the deposit credits it. A process of the previous version approves it without deciding the exception,
 * which is then closed with a reason.
 */
async function decideRefused(tx: Tx, staff: Staff, held: Asked, details: Details): Promise<void> {
  if (held.deposit.state !== 'pending') {
    if (details.decision !== 'explained') refuseFields({ decision: [exceptionTexts.approvedAgain] })
    return end(tx, await decide(tx, staff, closingException, { memberId: held.deposit.member_id }), held, details)
  }
  if (details.decision !== 'given_back') refuseFields({ decision: [exceptionTexts.refundOrApprove] })
  const subject = await describeApprovalSubject(tx, staff, held.deposit)
  const decider = await decideByAmount(tx, staff, creditingException, {
    ...subject,
    approvedBy: approversOf(held.asked, details),
    neededAtRequest: neededAfter(held.asked, subject.neededAtRequest),
  })
  const { asked, deposit: of } = held
  return decider ? end(tx, decider, held, details) : propose(tx, staff, { asked, of }, details)
}

/** Closes without a credit: the pending deposit ends too, unless another payment exception of the order is open. */
async function end(tx: Tx, staff: Decider, held: Asked, details: Details): Promise<void> {
  const { order, deposit, asked } = held
  const isLast = order?.state === 'for_staff' && !(await hasOtherWaiting(tx, staff, asked))
  // First: the database lets a paid deposit end only with a recorded refund.
  await close(tx, staff, { asked, of: deposit }, { ...details, ...decidedBy(staff) })
  if (isRefusedCredit(asked)) await closeRefused(tx, staff, deposit, details)
  if (order && isLast) await moveOrder(tx, staff, order, 'declined')
  if (deposit.state !== 'pending' || !(isLast || isRefusedCredit(asked))) return
  await turnDown(tx, staff, deposit, 'other')
  await notifyDepositor(tx, staff, deposit.transaction_id, { what: 'rejected', reason: 'other' })
}

async function hasOtherWaiting(tx: Tx, staff: Staff, { order_id, case_id }: PaymentException): Promise<boolean> {
  const other = await tx
    .selectFrom('payment_cases')
    .select('case_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('order_id', '=', order_id)
    .where('case_id', '<>', case_id)
    .where('state', '<>', 'closed')
    .executeTakeFirst()
  return other !== undefined
}

/**
 * Approving the deposit in its own queue decides about its one payment. A deposit with several payments is decided
 * through the payment exceptions.
 */
export async function followApproval(tx: Tx, staff: Decider, held: Held): Promise<void> {
  const { order, deposit } = held
  const waiting = await tx
    .selectFrom('payment_cases')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('order_id', '=', order.order_id)
    .where('state', '<>', 'closed')
    .forUpdate()
    .execute()
  const [asked] = waiting
  if (!asked || waiting.length > 1 || asked.kind === 'returned') refuse('illegal_move', exceptionTexts.several)
  const { provider_time } = asked
  const { provider_id } = order
  const payment = claimOf(asked)
  const { transaction_id } = deposit
  if (!(await claimPayment(tx, staff, { provider_id, payment, transaction_id, provider_time })))
    refuse('conflict', exceptionTexts.creditedBefore)
  const details = { decision: 'credit_agreed', note: null, outside_reference: null } as const
  await close(tx, staff, { asked, of: deposit }, { ...details, ...decidedBy(staff), transaction_id })
}

/** Approving a paid deposit again decides the exception that the platform's refusal opened. */
export async function followNewCredit(tx: Tx, staff: Decider, deposit: TransactionRow): Promise<void> {
  const { transaction_id } = deposit
  const details = { decision: 'credit_agreed', note: null, outside_reference: null, transaction_id } as const
  await closeRefused(tx, staff, deposit, details)
}

/** Each exception that waits about a deposit's refused credit: one decision ends them all. */
async function closeRefused(
  tx: Tx,
  staff: Decider,
  deposit: TransactionRow,
  details: Omit<Decided, 'decided_by' | 'decided_at'>,
): Promise<void> {
  for (const asked of await lockRefusedCredits(tx, staff, deposit.transaction_id))
    await close(tx, staff, { asked, of: deposit }, { ...details, ...decidedBy(staff) })
}
