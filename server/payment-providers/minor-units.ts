import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import type { Decimal } from '@atrium/contract/money/money.ts'

/**
 * Amounts in a currency's minor units, as digits: 250.00 USD is 25000 and 25000 JPY is 25000; null unless the result is
 * a whole number. Converts text to text, so that no digit passes through a float.
 */
export function toMinorUnits(amount: Decimal, currency: string): string | null {
  const [, whole = '', coins = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  const decimals = currencyDecimals(currency)
  if (whole === '' || /[1-9]/.test(coins.slice(decimals))) return null
  return `${whole}${coins.slice(0, decimals).padEnd(decimals, '0')}`.replace(/^0+(?=\d)/, '')
}

export function fromMinorUnits(units: string, currency: string): Decimal | null {
  if (!/^\d{1,15}$/.test(units)) return null
  const decimals = currencyDecimals(currency)
  if (decimals === 0) return units
  const digits = units.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
