import { createHash } from 'node:crypto'
import { isSame } from '@atrium/contract/money/money.ts'
import type { OrderState } from '@atrium/contract/payments/orders.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import type { Actor, System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { isErased } from '../foundation/database/member-lock.ts'
import { assertState } from '../foundation/errors.ts'
import { writeIntent } from '../funding/crediting/intent.ts'
import { notifyDepositor } from '../funding/deposit-notifications.ts'
import { creditObstacle } from '../funding/group-kind.ts'
import { depositIdentityProblem } from '../funding/identity-rule.ts'
import { lockTransaction, moveTransaction, recordEvent, type TransactionRow } from '../funding/transaction.ts'
import type { StatusReport } from '../payment-providers/status-report.ts'
import { coinDifference, isOverpaid } from './coin-difference.ts'
import { readProvider } from './connections/provider.ts'
import {
  claimPayment,
  isClaimed,
  isOtherTime,
  openException,
  paymentOf,
  readCreditedException,
  readCreditedTime,
} from './exceptions/exception.ts'
import { canMove, changeOrder, isOpen, lockOrder, moveOrder, type Order, type StaffReason } from './order.ts'
import { noteAfterExpiry } from './pending.ts'
import { insertTransaction } from './transaction.ts'

/** The result of applying a provider's report: applied, repeated, without effect, or in manual review. */
export type Outcome = { outcome: 'applied' | 'repeated' | 'noted' | 'for_staff'; why?: StaffReason }

export type Held = { order: Order; deposit: TransactionRow }

/** Locks the transaction, then the order, the lock order of staff decisions too, which prevents deadlocks. */
export async function holdOrder(tx: Tx, system: Actor, orderId: string): Promise<Held | null> {
  const seen = await tx
    .selectFrom('deposit_orders')
    .select(['order_id', 'transaction_id'])
    .where('workspace_id', '=', system.workspaceId)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return seen ? holdSeen(tx, system, seen) : null
}

/** The same for an order read earlier, whose transaction may have been replaced since. */
export async function holdSeen(
  tx: Tx,
  system: Actor,
  { order_id, transaction_id }: Pick<Order, 'order_id' | 'transaction_id'>,
): Promise<Held | null> {
  const [deposit, order] = await Promise.all([
    lockTransaction(tx, system, transaction_id),
    lockOrder(tx, system, order_id),
  ])
  if (!order) return null
  if (order.transaction_id === deposit.transaction_id) return { order, deposit }
  return { order, deposit: await lockTransaction(tx, system, order.transaction_id) }
}

/**
 * The only function through which a proven report changes an order, from a webhook event or a query. A paid order stays
 * paid; a difference or a late payment goes to manual review; nothing is credited twice, because the order moves to
 * paid once.
 */
export async function applyReport(tx: Tx, system: System, orderId: string, reported: StatusReport): Promise<Outcome> {
  const held = await holdOrder(tx, system, orderId)
  if (!held) return { outcome: 'noted' }
  await noteAfterExpiry(tx, system, held.order, reported.state)
  switch (reported.state) {
    case 'paid':
      return applyPaid(tx, system, held, reported)
    case 'declined':
    case 'cancelled':
      return applyEnd(tx, system, held, reported)
    case 'try_declined':
      return noteTry(tx, system, held, reported)
    case 'pending':
      return notePending(tx, system, held)
    case 'returned':
      return isOpen(held.order)
        ? toStaff(tx, system, held, 'returned', reported)
        : ask(tx, system, held, 'returned', reported)
    case 'unclear':
      return reviewWord(tx, system, held, reported)
    case 'unpaid':
    case 'payable':
    case 'hint':
      return { outcome: 'noted' }
  }
}

/**
 * Applies a message with incomplete signature coverage from a provider without queries: money and an unknown status go
 * to manual review, pending only keeps the order open, everything else is ignored. Its reference and amount are dropped
 * because neither is proven; they only tell whether it is another message than those already decided.
 */
export async function applyUnverified(tx: Tx, system: System, orderId: string, said: StatusReport): Promise<Outcome> {
  const held = await holdOrder(tx, system, orderId)
  if (!held) return { outcome: 'noted' }
  const { coin: _coin, ...rest } = said
  const unproven = { ...rest, reference: null, amount: null, currency: null }
  if (said.state === 'pending') return notePending(tx, system, held)
  if (said.state === 'unclear') return reviewWord(tx, system, held, unproven)
  if (said.state !== 'paid' && said.state !== 'returned') return { outcome: 'noted' }
  const { state, reference } = held.order
  const isCounted = state === 'paid' && said.state === 'paid' && said.reference !== null
  if (isCounted && said.reference === reference) return { outcome: 'repeated' }
  return toStaff(tx, system, held, 'unverified', unproven, `unverified ${digestOf(said)}`)
}

const digestOf = ({ reference, amount, currency, word }: StatusReport): string =>
  createHash('sha256')
    .update(JSON.stringify([reference, amount, currency, word]))
    .digest('hex')
    .slice(0, 16)

async function applyPaid(tx: Tx, system: System, held: Held, reported: StatusReport): Promise<Outcome> {
  const { order } = held
  if (order.state === 'paid') {
    const isSameOne = await isCredited(tx, system, order, reported)
    return isSameOne ? { outcome: 'repeated' } : ask(tx, system, held, 'second_payment', reported)
  }
  if (isAskedAboutOther(order, reported)) return ask(tx, system, held, 'second_payment', reported)
  const why =
    unverifiedIn(reported) ??
    (await differenceOf(tx, system, order, reported)) ??
    latenessOf(held) ??
    (await memberProblem(tx, system, held)) ??
    limitOf(reported)
  if (why) return toStaff(tx, system, held, why, reported)
  if (order.state === 'for_staff' && !isWordMissing(order))
    return ask(tx, system, held, order.staff_reason as StaffReason, reported)
  if (!(await pay(tx, system, held, reported))) return toStaff(tx, system, held, 'reference_taken', reported)
  // The agreed amount is credited; staff decide about the excess, which belongs to the member.
  return isOverpaid(reported) ? ask(tx, system, held, 'more_than_asked', reported) : { outcome: 'applied' }
}

/** Whether this is the payment that was credited. Without a reference its amount and time tell, where there are any. */
async function isCredited(tx: Tx, system: System, order: Order, reported: StatusReport): Promise<boolean> {
  const { reference, amount, currency } = reported
  if (reference !== null) return reference === order.reference
  if (amount === null || order.coin !== null) return true
  const decided = await readCreditedException(tx, system, order.transaction_id)
  if (isOtherTime(await readCreditedTime(tx, system, order), reported)) return false
  return isSame(amount, decided?.paid ?? order.charge) && currency === (decided?.paid_currency ?? order.currency)
}

/** Staff are asked about a further payment for this order, and no reference tells the payments apart. */
const isAskedAboutOther = ({ state, staff_reason }: Order, { reference }: StatusReport): boolean =>
  state === 'for_staff' &&
  reference === null &&
  (staff_reason === 'amount_differs' || staff_reason === 'currency_differs')

/** A missing amount counts as a difference. */
async function differenceOf(tx: Tx, system: System, order: Order, reported: StatusReport): Promise<StaffReason | null> {
  const why = order.coin === null ? priceDifference(order, reported) : coinDifference(order, reported)
  if (why) return why
  if (order.reference !== null && reported.reference !== null && reported.reference !== order.reference)
    return 'another_reference'
  if (reported.reference === null) return null
  const owner = await tx
    .selectFrom('deposit_orders')
    .select('order_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('provider_id', '=', order.provider_id)
    .where('reference', '=', reported.reference)
    .executeTakeFirst()
  return owner && owner.order_id !== order.order_id ? 'reference_taken' : null
}

function priceDifference(order: Order, reported: StatusReport): StaffReason | null {
  if (reported.currency !== order.currency) return 'currency_differs'
  if (reported.amount === null || !isSame(reported.amount, order.charge)) return 'amount_differs'
  return null
}

const unverifiedIn = ({ manualReview }: StatusReport): StaffReason | null =>
  manualReview === 'unverified' ? manualReview : null
const limitOf = ({ manualReview }: StatusReport): StaffReason | null =>
  manualReview === 'above_limit' ? manualReview : null

/** A payment after a decline is a retry by the member; one after a cancellation or expiry is late. */
function latenessOf({ order, deposit }: Held): StaffReason | null {
  if (order.state === 'expired') return 'after_expiry'
  if (order.state === 'cancelled' || deposit.state === 'cancelled') return 'after_cancel'
  // After a rejection by staff, a later payment is for staff too.
  const isTurnedDown = order.state === 'declined' && order.staff_reason !== null
  return isTurnedDown || (isOpen(order) && deposit.state === 'rejected') ? 'after_rejection' : null
}

/**
 * Nothing is credited without a decision to an erased member, to an account that takes no credit, or above what is
 * allowed before the identity is approved: an approval may have been withdrawn since the deposit was started.
 */
async function memberProblem(tx: Tx, system: System, { order, deposit }: Held): Promise<StaffReason | null> {
  const { member_id: memberId, amount, currency } = order
  if (await isErased(tx, system, memberId)) return 'member_erased'
  const obstacle = await creditObstacle(tx, system, deposit.account_id)
  if (obstacle) return obstacle
  const counted = { memberId, amount, currency, except: deposit.transaction_id }
  return (await depositIdentityProblem(tx, system, counted)) ? 'identity_missing' : null
}

/**
 * Order, transaction, intent and job in one commit, from which the credit follows exactly once. False without any
 * change if this payment was already credited.
 */
async function pay(tx: Tx, system: System, held: Held, { reference, card, paidAt }: StatusReport): Promise<boolean> {
  const { order } = held
  const payment = paymentOf(order, reference ?? order.reference)
  if (await isClaimed(tx, system, order, payment)) return false
  const deposit = await transactionOf(tx, system, held)
  const { provider_id } = order
  // When two orders claim one payment simultaneously, the second fails here and is read again later.
  const { transaction_id } = deposit
  const isFirst = await claimPayment(tx, system, {
    provider_id,
    payment,
    transaction_id,
    provider_time: paidAt ?? null,
  })
  assertState(isFirst, 'a payment was credited before')
  const { app_uid } = await readProvider(tx, system, order.provider_id)
  await moveOrder(tx, system, order, 'paid', {
    transaction_id: deposit.transaction_id,
    ...(order.reference === null && reference !== null && { reference }),
    ...(card && { card_type: card }),
  })
  // Staff may have approved first; then the credit is already in progress.
  if (deposit.state !== 'pending') return true
  await moveTransaction(tx, system, deposit, { to: 'crediting', event: 'deposit.paid-at-provider', note: app_uid })
  await writeIntent(tx, system, deposit)
  return true
}

const underWay: readonly string[] = ['pending', 'crediting', 'checking', 'approved']

/** A late payment gets a new transaction: a finished one is never reopened. */
async function transactionOf(tx: Tx, system: System, { order, deposit }: Held): Promise<TransactionRow> {
  if (underWay.includes(deposit.state)) return deposit
  const { app_uid: uid } = await readProvider(tx, system, order.provider_id)
  const { member_id: memberId, account_id: accountId, amount, currency, created_at: askedAt } = order
  const { comment } = deposit
  return insertTransaction(tx, system, { memberId, accountId, amount, currency, uid, comment, askedAt })
}

/** Records that a payment is in progress: the order stays open, and the event is recorded once. */
async function notePending(tx: Tx, system: System, { order, deposit }: Held): Promise<Outcome> {
  const isNews = order.pending_since === null
  const isSeen = order.coin !== null && order.seen_at === null
  if (!isOpen(order) || (!isNews && !isSeen)) return { outcome: 'noted' }
  const now = system.context.clock.now()
  await changeOrder(tx, system, order, { ...(isNews && { pending_since: now }), ...(isSeen && { seen_at: now }) })
  const event = order.coin === null ? 'deposit.pending-at-provider' : isSeen ? 'deposit.coins-seen' : null
  if (event && deposit.state === 'pending') await recordEvent(tx, system, deposit, event)
  return { outcome: 'applied' }
}

/** In manual review only because the final status was missing: it still counts when it arrives. */
const isWordMissing = ({ state, staff_reason }: Order): boolean =>
  state === 'for_staff' && staff_reason === 'pending_too_long'

async function applyEnd(tx: Tx, system: System, held: Held, reported: StatusReport): Promise<Outcome> {
  const { order } = held
  if (!isOpen(order) && !isWordMissing(order)) return { outcome: order.state === 'declined' ? 'repeated' : 'noted' }
  const to = reported.state === 'cancelled' && isOpen(order) ? 'cancelled' : 'declined'
  await endAndNotify(tx, system, held, to, reported.reason)
  return { outcome: 'applied' }
}

const endings = {
  declined: { event: 'deposit.declined-by-provider', reason: 'payment_declined' },
  cancelled: { event: 'deposit.declined-by-provider', reason: 'payment_declined' },
  expired: { event: 'deposit.not-paid-in-time', reason: 'payment_expired' },
} as const

type Ending = keyof typeof endings

/** Notifies the member, who is not on the page when the order ends. */
export async function endAndNotify(tx: Tx, system: System, held: Held, to: Ending, problem: string | null) {
  const isOver = await endOrder(tx, system, held, to, problem)
  if (!isOver) return
  await notifyDepositor(tx, system, held.deposit.transaction_id, { what: 'rejected', reason: endings[to].reason })
}

/**
 * Ends an order with its transaction; false if staff or the member had already ended the transaction, which stays
 * unchanged.
 */
export async function endOrder(
  tx: Tx,
  system: System,
  { order, deposit }: Held,
  to: Ending,
  problem: string | null,
): Promise<boolean> {
  await moveOrder(tx, system, order, to, { problem: problem ?? order.problem })
  if (deposit.state !== 'pending') return false
  const { event, reason } = endings[to]
  await moveTransaction(tx, system, deposit, {
    to: 'rejected',
    event,
    set: { rejection_reason: reason, decided_at: system.context.clock.now() },
  })
  return true
}

/** The page allows another try, so nothing ends; the status page shows the decline. */
async function noteTry(tx: Tx, system: System, { order, deposit }: Held, reported: StatusReport): Promise<Outcome> {
  if (!isOpen(order)) return { outcome: 'noted' }
  await changeOrder(tx, system, order, { problem: reported.reason ?? paymentTexts.notAccepted, pending_since: null })
  if (deposit.state === 'pending') await recordEvent(tx, system, deposit, 'deposit.payment-try-declined')
  return { outcome: 'applied' }
}

/**
 * An unknown status may mean that money moved, so staff ask the provider: one payment exception per status of an order.
 * A finished order stays finished, and a paid one stays paid.
 */
async function reviewWord(tx: Tx, system: System, held: Held, reported: StatusReport): Promise<Outcome> {
  const { order, deposit } = held
  const outcome = await ask(tx, system, held, 'unclear_word', reported, reported.word)
  if (outcome.outcome === 'for_staff' && isOpen(order)) {
    await moveOrder(tx, system, order, 'for_staff', { staff_reason: 'unclear_word' })
    await recordEvent(tx, system, deposit, 'deposit.payment-differs')
  }
  return outcome
}

/** Pending for longer than the provider's limit: nothing ends, and staff ask the provider about the money. */
export async function reviewPending(tx: Tx, system: System, held: Held, reported: StatusReport | null): Promise<void> {
  const { attempt, reference } = held.order
  const last = {
    attempt,
    reference,
    state: 'pending',
    amount: null,
    currency: null,
    reason: null,
    word: 'pending',
  } as const
  const why = 'pending_too_long'
  const outcome = await ask(tx, system, held, why, reported?.state === 'pending' ? reported : last, why)
  if (outcome.outcome !== 'for_staff') return
  await moveOrder(tx, system, held.order, 'for_staff', { staff_reason: why })
  await recordEvent(tx, system, held.deposit, 'deposit.pending-too-long')
}

async function toStaff(
  tx: Tx,
  system: System,
  held: Held,
  why: StaffReason,
  reported: StatusReport,
  about?: string,
): Promise<Outcome> {
  const outcome = await ask(tx, system, held, why, reported, about)
  const { order, deposit } = held
  if (outcome.outcome === 'for_staff' && canMove(order.state, 'for_staff' satisfies OrderState)) {
    await moveOrder(tx, system, order, 'for_staff', { staff_reason: why })
    await recordEvent(tx, system, deposit, 'deposit.payment-differs')
  }
  return outcome
}

/**
 * For coins the price is the agreed amount and only the coin amount is what arrived, so the price is not shown as paid.
 */
const inCoins = ({ coin, ...reported }: StatusReport): StatusReport =>
  coin
    ? { ...reported, amount: null, currency: null, word: `${reported.word}, ${coin.received} ${coin.code}` }
    : reported

/** One payment exception per payment; a closed one is opened again only by a further payment, as a new one. */
async function ask(
  tx: Tx,
  system: System,
  { order }: Held,
  why: StaffReason,
  reported: StatusReport,
  about?: string,
): Promise<Outcome> {
  // Any other reason outranks a missing status.
  if (isWordMissing(order)) await changeOrder(tx, system, order, { staff_reason: why })
  const opened = await openException(tx, system, order, {
    reported: inCoins(reported),
    why,
    ...(about !== undefined && { about }),
  })
  return opened === 'decided' ? { outcome: 'repeated' } : { outcome: 'for_staff', why }
}
