import { addAmounts, type Decimal, isSame, subtractAmounts } from '@atrium/contract/money/money.ts'
import type { MismatchKind } from '@atrium/contract/reconciliation/states.ts'
import type { Booked, Payment, Sides, UnmatchedOperation } from './sides.ts'

export type Sum = {
  currency: string
  method: string
  type: 'deposit' | 'withdrawal'
  portal: Decimal
  provider: Decimal | null
  platform: Decimal | null
}

export type Found = {
  kind: MismatchKind
  /** A stable identifier, so that repeated comparisons find the same mismatch. */
  subject: string
  currency: string
  method: string
  portal?: Decimal | null
  provider?: Decimal | null
  platform?: Decimal | null
  provider_currency?: string | null
  account_id?: string | null
  transaction_id?: string | null
  reference?: string | null
}

/** The method of operations made on a platform by others. */
export const platformMethod = 'platform'

/** Compares the three sides of a day: their sums and every mismatch. */
export function compareSides(sides: Sides): { sums: Sum[]; found: Found[] } {
  return {
    sums: addUp(sides),
    found: [
      ...sides.booked.flatMap(judgeBooked),
      ...sides.unmatchedOperations.map(judgeUnmatched),
      ...sides.payments.flatMap(judgePayment),
      ...sides.unknown.map(
        ({ notification_id, amount, currency, ...rest }): Found => ({
          ...{ kind: 'unknown_payment', subject: notification_id, provider: amount, currency: currency ?? '', ...rest },
        }),
      ),
      ...sides.shared.map(
        ({ amount, ...payout }): Found => ({
          ...{ kind: 'paid_out_twice', subject: payout.transaction_id, portal: amount, ...payout },
        }),
      ),
    ],
  }
}

/** An operation is known to be missing only if the platform was read that far. */
const isKnown = ({ found, read_to, at }: Booked): boolean => found !== null || (read_to !== null && at < read_to)

function judgeBooked(booked: Booked): Found[] {
  const { amount, found, ticket, currency, method, account_id, transaction_id } = booked
  if (!isKnown(booked) || (found !== null && isSame(found, amount))) return []
  const about = { currency, method, account_id, transaction_id, reference: ticket, subject: `${account_id}/${ticket}` }
  const kind = found === null ? 'missing_at_platform' : 'other_amount'
  return [{ kind, ...about, portal: amount, platform: found }]
}

function judgeUnmatched({
  account_id,
  ticket,
  amount,
  currency,
  transaction_id,
  is_second,
}: UnmatchedOperation): Found {
  const about = { currency, account_id, transaction_id, reference: ticket, subject: `${account_id}/${ticket}` }
  return {
    kind: is_second ? 'twice_at_platform' : 'missing_at_portal',
    ...{ ...about, method: platformMethod, platform: amount },
  }
}

/** The expected credit: what the provider says the member paid, less our charge. */
function paidAt({ is_paid, payments, reported_amount, reported_currency, charge, fee, currency }: Payment) {
  if (!is_paid && payments === 0) return null
  const amount = reported_amount ?? (is_paid ? charge : null)
  if (amount === null) return { amount: null, currency: null }
  if (reported_currency !== null && reported_currency !== currency) return { amount, currency: reported_currency }
  return { amount: subtractAmounts(amount, fee), currency: null }
}

function judgePayment(payment: Payment): Found[] {
  const { order_id, credited, payments, is_returned, account_id, transaction_id, currency, method, reference } = payment
  const paid = paidAt(payment)
  const about = {
    ...{ subject: order_id, currency, method, account_id, transaction_id, reference },
    ...{ portal: credited, provider: paid?.amount ?? null, provider_currency: paid?.currency ?? null },
  }
  const found: Found[] = []
  if (paid && credited === null) found.push({ kind: 'paid_not_credited', ...about })
  if (!paid && credited !== null) found.push({ kind: 'not_paid_at_provider', ...about })
  if (paid && credited !== null && (paid.currency !== null || paid.amount === null || !isSame(paid.amount, credited)))
    found.push({ kind: 'other_amount_at_provider', ...about })
  if (payments > 1) found.push({ kind: 'paid_twice', ...about })
  if (is_returned) found.push({ kind: 'returned', ...about })
  return found
}

/** Adds up; null if a side does not know one of its amounts. */
function addUp({ booked, unmatchedOperations, payments, paidOut, cameBack }: Sides): Sum[] {
  const sums = new Map<string, Sum>()
  const sumOf = (method: string, currency: string, type: Sum['type']): Sum => {
    const key = `${currency} ${method} ${type}`
    const sum = sums.get(key) ?? { currency, method, type, portal: '0', provider: null, platform: '0' }
    sums.set(key, sum)
    return sum
  }
  for (const entry of booked) {
    const sum = sumOf(entry.method, entry.currency, entry.type)
    sum.portal = addAmounts(sum.portal, entry.amount)
    sum.platform = sum.platform !== null && isKnown(entry) ? addAmounts(sum.platform, entry.found ?? '0') : null
  }
  for (const { amount, currency } of unmatchedOperations) {
    const sum = sumOf(platformMethod, currency, amount.startsWith('-') ? 'withdrawal' : 'deposit')
    if (sum.platform !== null) sum.platform = addAmounts(sum.platform, amount)
  }
  for (const payment of payments) {
    const paid = paidAt(payment)
    const sum = sumOf(payment.method, payment.currency, 'deposit')
    const isCounted = paid !== null && paid.currency === null && paid.amount !== null
    sum.provider = addAmounts(sum.provider ?? '0', isCounted ? (paid.amount ?? '0') : '0')
  }
  for (const { method, currency, amount } of cameBack) {
    const sum = sumOf(method, currency, 'deposit')
    sum.provider = addAmounts(sum.provider ?? '0', amount)
  }
  for (const { method, currency, amount } of paidOut) {
    const sum = sumOf(method, currency, 'withdrawal')
    sum.provider = addAmounts(sum.provider ?? '0', amount ?? '0')
  }
  for (const { method, currency, amount } of paidOut)
    if (amount === null) sumOf(method, currency, 'withdrawal').provider = null
  return [...sums.values()]
}
