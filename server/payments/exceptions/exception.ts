import { toScale } from '@atrium/contract/money/money.ts'
import type { Insertable, Selectable } from 'kysely'
import type { Actor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import type { PaymentCases, PaymentCredits } from '../../foundation/database/database.generated.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { newId } from '../../foundation/ids.ts'
import type { Mover } from '../../money-decisions/policy.ts'
import type { StatusReport } from '../../payment-providers/status-report.ts'
import { readProvider } from '../connections/provider.ts'
import type { Order } from '../order.ts'

export type PaymentException = Selectable<PaymentCases>

/** Identifies one payment of an order: the provider's reference, or our attempt id without one. */
export const paymentOf = (order: Pick<Order, 'attempt'>, reference: string | null): string => reference ?? order.attempt

/** Whether a payment is named by its provider's reference rather than by our attempt id. */
export const isReference = ({ attempt }: Pick<Order, 'attempt'>, payment: string): boolean =>
  payment !== attempt && !payment.startsWith(`${attempt} `)

/** The payment that a credit claims, independent of the exception's own key. */
export const claimOf = ({ payment, claims }: Pick<PaymentException, 'payment' | 'claims'>): string => claims ?? payment

/** Reasons that bring no payment of their own: once the order is paid there is no second payment to credit. */
export const reasonsWithoutPayment: readonly string[] = [
  'unclear_word',
  'pending_too_long',
  'unverified',
  'credit_refused',
]

type Opening = {
  reported: StatusReport
  why: string
  /** Distinguishes several exceptions of one payment: the unknown status, or the content of an unproven message. */
  about?: string
}

/** What an exception is about: an order, or a payout or a transfer by hand whose money came back. */
type Subject = Pick<Order, 'member_id' | 'attempt'> &
  (
    | { provider_id: string; order_id: string }
    | { provider_id: string; payout_id: string }
    | { provider_id: null; withdrawal_id: string }
  )

/** The column that names what an exception is about. */
function aboutOf(subject: Subject): { order_id: string } | { payout_id: string } | { withdrawal_id: string } {
  if ('order_id' in subject) return { order_id: subject.order_id }
  return 'payout_id' in subject ? { payout_id: subject.payout_id } : { withdrawal_id: subject.withdrawal_id }
}

const knownColumns = ['payment', 'claims', 'why', 'state', 'word', 'paid', 'paid_currency', 'provider_time'] as const
type Known = Pick<PaymentException, (typeof knownColumns)[number]>
type Named = Pick<PaymentException, 'payment' | 'claims'>
type Content = Pick<StatusReport, 'amount' | 'currency' | 'word'>

/**
 * What distinguishes reports: amount and currency. The status word counts too if there is no amount, or if several payments may
 * have the same one: for returns, and without a reference.
 */
function contentOf({ amount, currency, word }: Content, isOnePayment: boolean): string {
  const money = amount === null ? [] : [toScale(amount, currency ?? ''), currency ?? '']
  return [...money, ...(isOnePayment && amount !== null ? [] : [word])].join(' ')
}

/** Payments without a reference that happened at different times; where a time is missing they count as one. */
export const isOtherTime = (time: string | null, { reference, paidAt }: StatusReport): boolean =>
  reference === null && time !== null && paidAt !== undefined && time !== paidAt

/**
 * The exception that a report belongs to, or the name of a new one. A payment with a proven reference is one exception
 * until that is closed; otherwise, and for returns, a further payment is another exception.
 */
function findOrName(order: Pick<Order, 'attempt'>, opening: Opening, known: readonly Known[]): Known | Named {
  const { reported, about } = opening
  const claimed = paymentOf(order, reported.reference)
  const named = (payment: string) => known.find((each) => each.payment === payment)
  if (about !== undefined) {
    const payment = `${claimed} ${about}`
    return named(payment) ?? { payment, claims: claimed }
  }
  const isOnePayment = reported.reference !== null && reported.state !== 'returned'
  const content = contentOf(reported, isOnePayment)
  const first = named(claimed)
  if (!first && isOnePayment) return { payment: claimed, claims: null }
  const isOther = (each: Known) => isOtherTime(each.provider_time, reported)
  const isSame = (each: Known) => contentOf(moneyOf(each), isOnePayment) === content && !isOther(each)
  if (first && (isSame(first) || (isOnePayment && first.state !== 'closed'))) return first
  const withContent = `${claimed} ${content}`
  const earlier = named(withContent)
  const payment = earlier && isOther(earlier) ? `${withContent} ${reported.paidAt}` : withContent
  return (
    named(payment) ?? { payment, claims: reported.reference === null ? claimBeside(claimed, opening, known) : claimed }
  )
}

/**
 * Without a reference the first payment claims our attempt id, and a further payment is credited beside it: another amount, or
 * the same at another time. An unreadable amount proves no further payment, so it cannot be credited beside the first.
 */
function claimBeside(claimed: string, { reported, why }: Opening, known: readonly Known[]): string {
  if (reported.amount === null) return claimed
  const content = contentOf(reported, true)
  const isTaken = (claim: string) =>
    known.some(
      (each) =>
        claimOf(each) === claim &&
        !reasonsWithoutPayment.includes(each.why) &&
        (contentOf(moneyOf(each), true) !== content || isOtherTime(each.provider_time, reported)),
    )
  if (why !== 'second_payment' && !isTaken(claimed)) return claimed
  const beside = `${claimed} ${content}`
  return isTaken(beside) ? `${beside} ${reported.paidAt}` : beside
}

const moneyOf = ({ paid: amount, paid_currency: currency, word }: Known): Content => ({ amount, currency, word })

/**
 * Opens a payment exception once per payment, however often it is notified. Returns whether a decision is still needed:
 * a closed exception stays closed, and the same report does not open another.
 */
export async function openException(
  tx: Tx,
  actor: Actor,
  subject: Subject,
  opening: Opening,
): Promise<'waiting' | 'decided'> {
  const { reported, why } = opening
  const about = aboutOf(subject)
  const kind = reported.state === 'returned' ? 'returned' : 'paid'
  const known = await tx
    .selectFrom('payment_cases')
    .select(knownColumns)
    .where('workspace_id', '=', actor.workspaceId)
    .where((where) => where.and(about))
    .where('kind', '=', kind)
    .orderBy('case_id')
    .execute()
  const found = findOrName(subject, opening, known)
  if ('state' in found) return found.state === 'closed' ? 'decided' : 'waiting'
  const case_id = newId()
  // The order, payout or withdrawal is locked, so nobody else opens the same one.
  await tx
    .insertInto('payment_cases')
    .values({
      workspace_id: actor.workspaceId,
      ...about,
      ...found,
      ...{ case_id, provider_id: subject.provider_id, kind, why, word: reported.word },
      paid: reported.amount,
      paid_currency: reported.currency,
      provider_time: reported.paidAt ?? null,
      opened_at: actor.context.clock.now(),
    })
    .execute()
  const provider = subject.provider_id && (await readProvider(tx, actor, subject.provider_id))
  actor.context.metrics.manualReview(provider ? provider.app_uid : 'by-hand', why)
  await audit(tx, actor, {
    action: 'payment-case.opened',
    subject: { kind: 'payment_case', id: case_id },
    memberId: subject.member_id,
    after: {
      ...namedIn(about),
      why,
      kind,
      paid: reported.amount,
      currency: reported.currency,
    },
  })
  return 'waiting'
}

/** The same in the audit log. */
function namedIn(about: ReturnType<typeof aboutOf>) {
  if ('order_id' in about) return { order: about.order_id }
  return 'payout_id' in about ? { payout: about.payout_id } : { withdrawal: about.withdrawal_id }
}

/** The report that an exception credited as this deposit; undefined for a deposit that was credited automatically. */
export function readCreditedException(tx: Tx, actor: Actor, transactionId: string) {
  return tx
    .selectFrom('payment_cases')
    .select(['order_id', 'payout_id', 'withdrawal_id', 'claims', 'paid', 'paid_currency'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('transaction_id', '=', transactionId)
    .orderBy('case_id')
    .executeTakeFirst()
}

/** Records that a payment was credited. False if it already was, for any order. */
export async function claimPayment(
  tx: Tx,
  actor: Mover,
  credit: Pick<Insertable<PaymentCredits>, 'provider_id' | 'payment' | 'transaction_id' | 'provider_time'>,
): Promise<boolean> {
  const claimed = await tx
    .insertInto('payment_credits')
    .values({
      workspace_id: actor.workspaceId,
      ...credit,
      credited_at: actor.context.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider_id', 'payment']).doNothing())
    .returning('payment')
    .executeTakeFirst()
  return claimed !== undefined
}

/** The provider's time of the payment that an order's transaction credits, where the provider sends one. */
export async function readCreditedTime(tx: Tx, actor: Actor, { transaction_id }: Order): Promise<string | null> {
  const row = await tx
    .selectFrom('payment_credits')
    .select('provider_time')
    .where('workspace_id', '=', actor.workspaceId)
    .where('transaction_id', '=', transaction_id)
    .executeTakeFirst()
  return row?.provider_time ?? null
}

export async function isClaimed(tx: Tx, actor: Actor, order: Order, payment: string): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_credits')
    .select('transaction_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', order.provider_id)
    .where('payment', '=', payment)
    .executeTakeFirst()
  return row !== undefined
}
