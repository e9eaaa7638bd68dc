import { isMore, isSame } from '@atrium/contract/money/money.ts'
import type { CoinAddress } from '../payment-providers/contract.ts'
import type { StatusReport } from '../payment-providers/status-report.ts'
import type { Order, StaffReason } from './order.ts'

/**
 * A coin order is paid only by the exact amount of its own coin. The price is compared if the provider reports it;
 * otherwise the coin amount is compared with the one shown to the member.
 */
export function coinDifference(order: Order, { coin, amount, currency }: StatusReport): StaffReason | null {
  if (!coin || coin.code !== order.coin) return 'coin_differs'
  if (currency !== null && currency !== order.currency) return 'currency_differs'
  const isPriced = currency !== null || amount !== null
  if (isPriced && (amount === null || !isSame(amount, order.charge))) return 'amount_differs'
  const agreed = (order.hand_off as CoinAddress | null)?.amount ?? null
  if (!isPriced && agreed === null) return 'amount_differs'
  if (coin.asked === null || (agreed !== null && !isSame(coin.asked, agreed))) return 'amount_differs'
  return isMore(coin.asked, coin.received) ? 'amount_differs' : null
}

export const isOverpaid = ({ coin }: StatusReport): boolean =>
  coin !== undefined && coin.asked !== null && isMore(coin.received, coin.asked)
