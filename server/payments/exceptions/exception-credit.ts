import { isMore, readAmount, subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import type { ExceptionDecision } from '@atrium/contract/payments/exceptions.ts'
import type { Order } from '../order.ts'
import { type PaymentException, reasonsWithoutPayment } from './exception.ts'
import { isRefusedCredit } from './refused-credit.ts'

type Paid = Pick<PaymentException, 'kind' | 'why' | 'paid' | 'paid_currency'>
type Agreed = Pick<Order, 'amount' | 'fee' | 'currency' | 'state'>

/**
 * The amount that a decision credits: the agreed amount, or the paid amount less the agreed fee. Null when nothing can
 * be credited: returned money, another currency, nothing left after the fee, a paid order, or a refused credit.
 */
export function creditOf(
  decision: ExceptionDecision,
  { kind, why, paid, paid_currency }: Paid,
  order: Agreed,
): string | null {
  const { amount, fee, currency } = order
  if (isRefusedCredit({ why })) return null
  if (kind === 'returned' || (order.state === 'paid' && reasonsWithoutPayment.includes(why))) return null
  if (decision === 'credit_agreed') return toScale(amount, currency)
  if (decision !== 'credit_paid' || paid === null || paid_currency !== currency || !isMore(paid, fee)) return null
  const read = readAmount(subtractAmounts(paid, fee), currency)
  return 'amount' in read ? read.amount : null
}
