import Big from 'big.js'
import { currencyDecimals } from './currencies.ts'
import { numberFormat } from './intl-formats.ts'

/** An exact decimal as text, e.g. "-1250.00". Never a float: 0.1 + 0.2 must stay 0.3 in front of a member. */
export type Decimal = string

/** Digits with one optional point and nothing else: no sign, exponent, separator, or digits of other scripts. */
const plainDecimal = /^\d{1,15}(\.\d{1,18})?$/
const signedDecimal = /^-?\d{1,20}(\.\d{1,18})?$/

/** Why an amount typed by a person was not taken. `zero` also stands for anything below zero. */
export type AmountProblem = 'missing' | 'malformed' | 'zero' | 'too_precise' | 'too_large'

/** Larger than any sum a platform takes in one operation (MetaTrader 5 refuses 1,000,000,000 and more). */
export const amountMax: Decimal = '999999999.99'

/**
 * Reads an amount that somebody typed or sent. Numbers are taken only in the form that JSON wrote them; an exponent,
 * a comma or Arabic digits are malformed, because guessing what was meant is not for us when it is money.
 */
export function readAmount(raw: unknown, currency: string): { amount: Decimal } | { problem: AmountProblem } {
  if (raw === undefined || raw === null || raw === '') return { problem: 'missing' }
  const text = typeof raw === 'number' ? String(raw) : raw
  if (typeof text !== 'string') return { problem: 'malformed' }
  if (/^-\d/.test(text) && signedDecimal.test(text)) return { problem: 'zero' }
  if (!plainDecimal.test(text)) return { problem: 'malformed' }
  const value = new Big(text)
  if (value.lte(0)) return { problem: 'zero' }
  if (value.gt(amountMax)) return { problem: 'too_large' }
  if (!value.eq(value.round(currencyDecimals(currency), Big.roundDown))) return { problem: 'too_precise' }
  return { amount: toScale(text, currency) }
}

/** A decimal at its currency's scale: "250" USD -> "250.00"; more decimals than the currency has are kept, never cut. */
export function toScale(amount: Decimal, currency: string): Decimal {
  const value = new Big(amount)
  const decimals = Math.max(currencyDecimals(currency), value.c.length - value.e - 1)
  return value.toFixed(decimals)
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

/** A share of an amount at its currency's scale, halves away from zero: what a fee in percent comes to. */
export function percentOf(amount: Decimal, percent: Decimal, currency: string): Decimal {
  return new Big(amount).times(percent).div(100).toFixed(currencyDecimals(currency), Big.roundHalfUp)
}

/** What an amount comes to where `from` of it is worth as much as `to`. */
export function inProportion(amount: Decimal, { from, to }: { from: Decimal; to: Decimal }): Decimal {
  return new Big(amount).times(to).div(from).toFixed()
}

/** At its currency's scale, never rounded up: what is left to somebody. */
export function cutToScale(amount: Decimal, currency: string): Decimal {
  return new Big(amount).toFixed(currencyDecimals(currency), Big.roundDown)
}

export function smallerOf(left: Decimal, right: Decimal): Decimal {
  return new Big(left).lt(right) ? left : right
}

/** True for text that is an exact signed decimal within what the database and the wire carry. */
export function isDecimal(text: string): boolean {
  return signedDecimal.test(text)
}

/**
 * An amount for people: two decimals, or the currency's own when it has more; thousands separated as the language does.
 * Intl takes the text itself, so no digit passes through a float.
 */
export function formatAmount(amount: Decimal, currency: string, language = 'en'): string {
  const scaled = toScale(amount, currency)
  const decimals = Math.max(2, scaled.split('.')[1]?.length ?? 0)
  const format = numberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  return format.format(scaled as Intl.StringNumericLiteral)
}
