import { isMore, readAmount, subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import type { ExceptionDecision } from '@atrium/contract/payments/exceptions.ts'
import type { Order } from '../order.ts'
import type { PaymentException } from './exception.ts'

type Paid = Pick<PaymentException, 'kind' | 'why' | 'paid' | 'paid_currency'>
type Agreed = Pick<Order, 'amount' | 'fee' | 'currency' | 'state'>

/** Reasons that bring no payment of their own: once the order is paid there is no second payment to credit. */
const reasonsWithoutPayment: readonly string[] = ['unclear_word', 'pending_too_long', 'unverified', 'credit_refused']

/**
 * The amount that a decision credits: the agreed amount, or the paid amount less the agreed fee. Null when nothing can
 * be credited: returned money, another currency, nothing left after the fee, or a paid order.
 */
export function creditOf(
  decision: ExceptionDecision,
  { kind, why, paid, paid_currency }: Paid,
  order: Agreed,
): string | null {
  const { amount, fee, currency } = order
  if (kind === 'returned' || (order.state === 'paid' && reasonsWithoutPayment.includes(why))) return null
  if (decision === 'credit_agreed') return toScale(amount, currency)
  if (decision !== 'credit_paid' || paid === null || paid_currency !== currency || !isMore(paid, fee)) return null
  const read = readAmount(subtractAmounts(paid, fee), currency)
  return 'amount' in read ? read.amount : null
}
