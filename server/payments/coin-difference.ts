import { isMore, isSame } from '@atrium/contract/money/money.ts'
import type { CoinAddress } from '../payment-providers/contract.ts'
import type { Reported } from '../payment-providers/reported.ts'
import type { Order, StaffReason } from './order.ts'

/**
 * An order in coins is paid by so much of its own coin and of no other. The price is compared wherever the provider tells
 * it; where it tells coins only, the amount is the one that was handed out with the address.
 */
export function coinDifference(order: Order, { coin, amount, currency }: Reported): StaffReason | null {
  if (!coin || coin.code !== order.coin) return 'coin_differs'
  if (currency !== null && currency !== order.currency) return 'currency_differs'
  const isPriced = currency !== null || amount !== null
  if (isPriced && (amount === null || !isSame(amount, order.charge))) return 'amount_differs'
  const agreed = (order.hand_off as CoinAddress | null)?.amount ?? null
  if (!isPriced && agreed === null) return 'amount_differs'
  if (coin.asked === null || (agreed !== null && !isSame(coin.asked, agreed))) return 'amount_differs'
  return isMore(coin.asked, coin.received) ? 'amount_differs' : null
}

export const isOverpaid = ({ coin }: Reported): boolean =>
  coin !== undefined && coin.asked !== null && isMore(coin.received, coin.asked)
