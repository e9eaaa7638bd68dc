import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import { isSame, readAmount } from '@atrium/contract/money/money.ts'

/** Three round amounts that suit the size of a currency's unit. */
export function presetAmounts(currency: string): string[] {
  const decimals = currencyDecimals(currency)
  if (decimals === 0) return ['10000', '25000', '50000']
  if (decimals > 6) return ['0.01', '0.05', '0.1']
  return ['100', '250', '500']
}

/** "250" and "250.00" are the same amount. */
export function isPreset(typed: string, preset: string, currency: string): boolean {
  const read = readAmount(typed, currency)
  return 'amount' in read && isSame(read.amount, preset)
}
