import { currencyDecimals, currencySign, fiatCodes } from './currencies.ts'
import { numberFormat } from './intl-formats.ts'
import type { Decimal } from './money.ts'
import { plainDigits, separatorsOf } from './number-marks.ts'

/** As many as any decimal here may have. */
export const decimalsMax = 18

/** What a field asks for. Whoever shows a number to the same person passes the same language. */
export type NumberShape = {
  language: string
  /** How many decimals it may have. */
  decimals: number
  /** The currency's sign or code, or a percent sign, may stand beside the digits; `any` is the sign of any currency. */
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

/** More than any number that fits a field, in groups and with its currency. */
const charsMax = 100

const refused = (kind: Exclude<NumberProblem['kind'], 'ambiguous'>): TypedNumber => ({ problem: { kind } })

/**
 * The number that a person meant by what they typed or pasted, as a canonical decimal. A separator is understood where the
 * shape leaves one meaning ("100,50", "1.000,00", "1 000"); where it leaves two ("1,000"), by the reader's language. What
 * neither settles is refused, and so is what has more decimals than there may be: a number is never guessed or rounded.
 */
export function readTypedNumber(text: string, shape: NumberShape): TypedNumber {
  if (text.length > charsMax) return refused('malformed')
  const plain = plainDigits(text)
  if (plain === '') return refused('missing')
  const bare = withoutUnit(plain, shape)
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
/** As in India: 1,00,000. */
const indian = /^[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}$/
const groups = ['[.]', ',', ' ', "'", '\u066c', '\u2e41']
const grouped = [...groups.map(western), indian]

const decimalMarks = ['.', ',', '\u066b']

/** The last mark is the decimal one; before it stand digits, in groups or not. */
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

/** Zeros beyond what there may be say nothing; other digits there are refused, never cut. */
function fitted(value: Decimal, decimals: number): TypedNumber {
  const [whole = '', fraction = ''] = value.split('.')
  if (/[1-9]/.test(fraction.slice(decimals))) return refused('too_precise')
  return { value: canonical(`${whole}.${fraction.slice(0, decimals)}`) }
}

function canonical(value: Decimal): Decimal {
  const [whole = '', fraction = ''] = value.split('.')
  return `${whole.replace(/^0+(?=[0-9])/, '')}${fraction === '' ? '' : `.${fraction}`}`
}

/** Without the sign or code that may stand before or behind the digits; null where it is that of another currency. */
function withoutUnit(plain: string, { unit, language }: NumberShape): string | null {
  const first = plain.search(/[0-9]/)
  if (unit === undefined || first < 0) return plain
  const end = Math.max(...[...'0123456789'].map((digit) => plain.lastIndexOf(digit))) + 1
  const [lead, tail] = [plain.slice(0, first).trim(), plain.slice(end).trim()]
  // The minus stands before the sign of the currency or behind it.
  const sign = /^[+-]/.exec(lead)?.[0] ?? /[+-]$/.exec(lead)?.[0] ?? ''
  const before = (lead.startsWith(sign) ? lead.slice(sign.length) : lead.slice(0, -1)).trim()
  // A bare separator belongs to the number.
  const words = [before, tail].filter((word) => /[\p{L}\p{Sc}%]/u.test(word))
  const word = words[0]
  if (word === undefined || words.length > 1) return plain
  const digits = plain.slice(first, end)
  if (isOwnUnit(wordOf(word), unit, language)) return sign + (word === before ? digits + tail : before + digits)
  // "$.50": the point of a number that begins with it.
  const point = word === before ? (/[.,\u066b]$/.exec(word)?.[0] ?? '') : ''
  if (point !== '' && isOwnUnit(wordOf(word.slice(0, -1).trim()), unit, language)) return sign + point + digits + tail
  return unit !== '%' && isCurrency(word) ? null : plain
}

const wordOf = (text: string): string => text.toLowerCase()

const isCurrency = (word: string): boolean => /\p{Sc}/u.test(word) || fiatCodes.includes(word.toUpperCase())

function isOwnUnit(word: string, unit: string, language: string): boolean {
  if (unit === '%') return word === '%'
  if (unit === 'any') return isCurrency(word)
  const signs = signsOf(unit, language).map(wordOf)
  // Some are written with a full stop, as "Rs." is. Behind another sign or a code it is the point of ".50".
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
      .map(({ value }) => plainDigits(value))
  return [
    code,
    ...(own === null ? [] : [own]),
    ...['en', 'en-CA', language].flatMap((locale) => [
      ...written(locale, 'symbol'),
      ...written(locale, 'narrowSymbol'),
    ]),
  ]
}

/** An amount in a currency: as many decimals as it is settled in, its sign or code beside it. */
export const amountShape = (currency: string, language: string): NumberShape => ({
  language,
  decimals: currencyDecimals(currency),
  unit: currency,
})
