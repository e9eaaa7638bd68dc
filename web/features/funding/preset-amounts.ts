import { currencyDecimals } from '@atrium/contract/currencies.ts'

/** Three round amounts that fit the size of a currency's unit. */
export function presetAmounts(currency: string): string[] {
  const decimals = currencyDecimals(currency)
  if (decimals === 0) return ['10000', '25000', '50000']
  if (decimals > 6) return ['0.01', '0.05', '0.1']
  return ['100', '250', '500']
}
