import Big from 'big.js'
import { currencyDecimals } from './currencies.ts'
import { numberFormat } from './intl-formats.ts'

/** An exact decimal as text, e.g. "-1250.00". Never a float, which cannot represent most decimal fractions. */
export type Decimal = string

/** Digits with one optional point and nothing else: no sign, exponent, separator, or digits of other scripts. */
const decimalPattern = /^\d{1,15}(\.\d{1,18})?$/
export const signedDecimal = /^-?\d{1,20}(\.\d{1,18})?$/

/** Why a typed amount is refused. `zero` includes negative amounts. */
export type AmountProblem = 'missing' | 'malformed' | 'zero' | 'too_precise' | 'too_large'

/** Above the maximum of a single operation on any platform (MetaTrader 5 refuses 1,000,000,000 and more). */
export const amountMax: Decimal = '999999999.99'

/**
 * Reads a typed or sent amount. Only plain decimals are accepted; an exponent, a comma or Arabic digits are malformed, because money
 * must not be guessed.
 */
export function readAmount(raw: unknown, currency: string): { amount: Decimal } | { problem: AmountProblem } {
  if (raw === undefined || raw === null || raw === '') return { problem: 'missing' }
  const text = typeof raw === 'number' ? String(raw) : raw
  if (typeof text !== 'string') return { problem: 'malformed' }
  if (/^-\d/.test(text) && signedDecimal.test(text)) return { problem: 'zero' }
  if (!decimalPattern.test(text)) return { problem: 'malformed' }
  const value = new Big(text)
  if (value.lte(0)) return { problem: 'zero' }
  if (value.gt(amountMax)) return { problem: 'too_large' }
  if (!value.eq(value.round(currencyDecimals(currency), Big.roundDown))) return { problem: 'too_precise' }
  return { amount: toScale(text, currency) }
}

/** A decimal at its currency's scale: "250" USD -> "250.00"; additional decimals are preserved. */
export function toScale(amount: Decimal, currency: string): Decimal {
  const decimals = currencyDecimals(currency)
  if (canonical.test(amount)) return withDecimals(amount, decimals)
  const value = new Big(amount)
  return value.toFixed(Math.max(decimals, value.c.length - value.e - 1))
}

/** A number as the database prints it, not negative. */
const canonical = /^(?:0|[1-9]\d*)(?:\.\d+)?$/

/** Edits the text, because a list formats several amounts per row. */
function withDecimals(amount: Decimal, decimals: number): Decimal {
  const [whole = '', fraction = ''] = amount.split('.')
  let end = fraction.length
  while (end > decimals && fraction[end - 1] === '0') end -= 1
  const digits = fraction.slice(0, end).padEnd(decimals, '0')
  return digits === '' ? whole : `${whole}.${digits}`
}

export function isMore(left: Decimal, right: Decimal): boolean {
  return new Big(left).gt(right)
}

export function isSame(left: Decimal, right: Decimal): boolean {
  return new Big(left).eq(right)
}

export function addAmounts(left: Decimal, right: Decimal): Decimal {
  return new Big(left).plus(right).toFixed()
}

export function subtractAmounts(left: Decimal, right: Decimal): Decimal {
  return new Big(left).minus(right).toFixed()
}

/** A percentage of an amount at its currency's scale, halves rounded away from zero, for example a fee. */
export function percentOf(amount: Decimal, percent: Decimal, currency: string): Decimal {
  return new Big(amount).times(percent).div(100).toFixed(currencyDecimals(currency), Big.roundHalfUp)
}

/** Converts an amount at the rate at which `from` equals `to`. */
export function inProportion(amount: Decimal, { from, to }: { from: Decimal; to: Decimal }): Decimal {
  return new Big(amount).times(to).div(from).toFixed()
}

/** Rounds down to the currency's scale, for a remaining amount. */
export function cutToScale(amount: Decimal, currency: string): Decimal {
  return new Big(amount).toFixed(currencyDecimals(currency), Big.roundDown)
}

export function smallerOf(left: Decimal, right: Decimal): Decimal {
  return new Big(left).lt(right) ? left : right
}

/** True for an exact signed decimal within the range of the database and the wire. */
export function isDecimal(text: string): boolean {
  return signedDecimal.test(text)
}

/**
 * A displayed amount: two decimals, or the currency's own if it has more; grouped as in the language. Intl formats the text itself,
 * so no digit passes through a float.
 */
export function formatAmount(amount: Decimal, currency: string, language = 'en'): string {
  const scaled = toScale(amount, currency)
  const decimals = Math.max(2, scaled.split('.')[1]?.length ?? 0)
  const format = numberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  return format.format(scaled as Intl.StringNumericLiteral)
}
