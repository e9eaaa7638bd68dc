import { currencyDecimals, currencySign, fiatCodes } from './currencies.ts'
import { numberFormat } from './intl-formats.ts'
import type { Decimal } from './money.ts'
import { normalizeNumber, separatorsOf } from './number-marks.ts'

/** The maximum of decimals of any number here. */
export const decimalsMax = 18

/** The format of a number field. Show a number in the same language as it is read. */
export type NumberShape = {
  language: string
  /** Maximum number of decimals. */
  decimals: number
  /** The currency's sign or code, or a percent sign, may accompany the digits; `any` allows any currency. */
  unit?: string | undefined
}

export type NumberProblem =
  | { kind: 'missing' }
  | { kind: 'malformed' }
  | { kind: 'other_currency' }
  | { kind: 'too_precise' }
  /** Both meanings, as canonical decimals. */
  | { kind: 'ambiguous'; asDecimal: Decimal; asGrouped: Decimal }

export type TypedNumber = { value: Decimal } | { problem: NumberProblem }

/** More than any number that fits a field, with groups and its currency. */
const charsMax = 100

const refused = (kind: Exclude<NumberProblem['kind'], 'ambiguous'>): TypedNumber => ({ problem: { kind } })

/**
 * Parses a typed or pasted number to a canonical decimal: a separator with only one possible meaning is unambiguous
 * ("100,50", "1.000,00", "1 000"), and otherwise ("1,000") the reader's language decides. Text that stays ambiguous and
 * too many decimals are refused, since a number is never guessed or rounded.
 */
export function readTypedNumber(text: string, shape: NumberShape): TypedNumber {
  if (text.length > charsMax) return refused('malformed')
  const normalized = normalizeNumber(text)
  if (normalized === '') return refused('missing')
  const bare = withoutUnit(normalized, shape)
  if (bare === null) return refused('other_currency')
  const signed = /^([+-]?)([^+-]*)$/.exec(bare)
  if (!signed) return refused('malformed')
  const [, sign = '', digits = ''] = signed
  return withSign(readUnsigned(digits.trim(), shape), sign === '-' ? '-' : '')
}

function withSign(read: TypedNumber, sign: string): TypedNumber {
  if ('value' in read) return /[1-9]/.test(read.value) ? { value: sign + read.value } : read
  if (read.problem.kind !== 'ambiguous') return read
  const { asDecimal, asGrouped } = read.problem
  return { problem: { kind: 'ambiguous', asDecimal: sign + asDecimal, asGrouped: sign + asGrouped } }
}

function readUnsigned(text: string, { language, decimals }: NumberShape): TypedNumber {
  const [asDecimal, asGrouped] = [readDecimal(text), readGrouped(text)]
  if (asDecimal === null && asGrouped === null) return refused('malformed')
  if (asDecimal === null || asGrouped === null) return fitted(asDecimal ?? asGrouped ?? '', decimals)
  // One point or comma before three digits: both are possible, so the language decides.
  const mark = /[^0-9]/.exec(text)?.[0]
  const own = separatorsOf(language)
  if (mark === own.group) return fitted(asGrouped, decimals)
  if (mark === own.decimal && placesOf(asDecimal) <= decimals) return { value: canonical(asDecimal) }
  return { problem: { kind: 'ambiguous', asDecimal: canonical(asDecimal), asGrouped: canonical(asGrouped) } }
}

const western = (group: string) => new RegExp(`^[1-9][0-9]{0,2}(?:${group}[0-9]{3})+$`)
/** Indian grouping: 1,00,000. */
const indian = /^[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}$/
const groups = ['[.]', ',', ' ', "'", '\u066c', '\u2e41']
const grouped = [...groups.map(western), indian]

const decimalMarks = ['.', ',', '\u066b']

/** The last mark is the decimal mark, after digits with or without groups. */
function readDecimal(text: string): Decimal | null {
  if (/^[0-9]+$/.test(text)) return text
  const at = Math.max(...decimalMarks.map((mark) => text.lastIndexOf(mark)))
  if (at < 0) return null
  const [whole, mark, fraction] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
  if (!/^[0-9]*$/.test(fraction)) return null
  if (whole === '' && fraction === '') return null
  const digits = whole === '' ? '0' : /^[0-9]+$/.test(whole) ? whole : whole.includes(mark) ? null : readGrouped(whole)
  return digits === null ? null : `${digits}.${fraction}`
}

/** A whole number in groups. */
function readGrouped(text: string): Decimal | null {
  return grouped.some((shape) => shape.test(text)) ? text.replace(/[^0-9]/g, '') : null
}

const placesOf = (value: Decimal): number => value.split('.')[1]?.length ?? 0

/** Ignores trailing zeros beyond the allowed decimals; refuses other digits there. */
function fitted(value: Decimal, decimals: number): TypedNumber {
  const [whole = '', fraction = ''] = value.split('.')
  if (/[1-9]/.test(fraction.slice(decimals))) return refused('too_precise')
  return { value: canonical(`${whole}.${fraction.slice(0, decimals)}`) }
}

function canonical(value: Decimal): Decimal {
  const [whole = '', fraction = ''] = value.split('.')
  return `${whole.replace(/^0+(?=[0-9])/, '')}${fraction === '' ? '' : `.${fraction}`}`
}

/** Removes the sign or code before or after the digits; null if it belongs to another currency. */
function withoutUnit(normalized: string, { unit, language }: NumberShape): string | null {
  const first = normalized.search(/[0-9]/)
  if (unit === undefined || first < 0) return normalized
  const end = Math.max(...[...'0123456789'].map((digit) => normalized.lastIndexOf(digit))) + 1
  const [lead, tail] = [normalized.slice(0, first).trim(), normalized.slice(end).trim()]
  // The minus precedes or follows the currency sign.
  const sign = /^[+-]/.exec(lead)?.[0] ?? /[+-]$/.exec(lead)?.[0] ?? ''
  const before = (lead.startsWith(sign) ? lead.slice(sign.length) : lead.slice(0, -1)).trim()
  // A bare separator belongs to the number.
  const words = [before, tail].filter((word) => /[\p{L}\p{Sc}%]/u.test(word))
  const word = words[0]
  if (word === undefined || words.length > 1) return normalized
  const digits = normalized.slice(first, end)
  if (isOwnUnit(wordOf(word), unit, language)) return sign + (word === before ? digits + tail : before + digits)
  // In "$.50" the point belongs to the number.
  const point = word === before ? (/[.,\u066b]$/.exec(word)?.[0] ?? '') : ''
  if (point !== '' && isOwnUnit(wordOf(word.slice(0, -1).trim()), unit, language)) return sign + point + digits + tail
  return unit !== '%' && isCurrency(word) ? null : normalized
}

const wordOf = (text: string): string => text.toLowerCase()

const isCurrency = (word: string): boolean => /\p{Sc}/u.test(word) || fiatCodes.includes(word.toUpperCase())

function isOwnUnit(word: string, unit: string, language: string): boolean {
  if (unit === '%') return word === '%'
  if (unit === 'any') return isCurrency(word)
  const signs = signsOf(unit, language).map(wordOf)
  // Abbreviations such as "Rs." include a full stop. After another sign or a code it is the point of ".50".
  const isShortened = /\p{L}[/]?[.]$/u.test(word) && word !== `${unit.toLowerCase()}.`
  return signs.includes(word) || (isShortened && signs.includes(word.slice(0, -1)))
}

function signsOf(code: string, language: string): string[] {
  const own = currencySign(code)
  if (!/^[A-Z]{3}$/.test(code)) return own === null ? [code] : [code, own]
  const written = (locale: string, currencyDisplay: 'symbol' | 'narrowSymbol') =>
    numberFormat(locale, { style: 'currency', currency: code, currencyDisplay })
      .formatToParts(0)
      .filter(({ type }) => type === 'currency')
      .map(({ value }) => normalizeNumber(value))
  return [
    code,
    ...(own === null ? [] : [own]),
    ...['en', 'en-CA', language].flatMap((locale) => [
      ...written(locale, 'symbol'),
      ...written(locale, 'narrowSymbol'),
    ]),
  ]
}

/** The format of an amount: its currency's decimals, with its sign or code allowed. */
export const amountShape = (currency: string, language: string): NumberShape => ({
  language,
  decimals: currencyDecimals(currency),
  unit: currency,
})
