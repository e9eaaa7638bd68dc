import Big from 'big.js'
import { currencyDecimals } from '../money/currencies.ts'
import type { Decimal } from '../money/money.ts'

/** A provider's fee: a percentage of the amount, and a fixed sum per payment. */
export type FeeTerms = { currency: string; fee_percent: Decimal; fee_fixed: Decimal }

/** Added to the credited amount, rounded up to the currency's scale so that it is never below the agreed fee. */
export function paymentFee(amount: Decimal, { currency, fee_percent, fee_fixed }: FeeTerms): Decimal {
  const decimals = currencyDecimals(currency)
  return new Big(amount).times(fee_percent).div(100).plus(fee_fixed).round(decimals, Big.roundUp).toFixed(decimals)
}

export const isZero = (amount: Decimal): boolean => new Big(amount).eq(0)
export const isFree = ({ fee_percent, fee_fixed }: FeeTerms): boolean => isZero(fee_percent) && isZero(fee_fixed)
