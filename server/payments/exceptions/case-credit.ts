import { isMore, readAmount, subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import type { CaseDecision } from '@atrium/contract/payments/exceptions.ts'
import type { Order } from '../order.ts'
import type { PaymentCase } from './case.ts'

type Paid = Pick<PaymentCase, 'kind' | 'why' | 'paid' | 'paid_currency'>
type Agreed = Pick<Order, 'amount' | 'fee' | 'currency' | 'state'>

/** The provider's word was missing with these: once its order is paid there is no other payment to credit. */
const reasonsWithoutPayment: readonly string[] = ['unclear_word', 'pending_too_long']

/**
 * What a decision puts on the account: the amount that was agreed, or what was paid without the fee that was agreed. Null
 * where there is no such amount: money that went back, another currency, nothing left, an order that is paid already.
 */
export function creditOf(
  decision: CaseDecision,
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
