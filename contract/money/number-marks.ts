/** Characters without effect on a number: directional marks, joiners, zero-width spaces. */
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Variants of the same mark in keyboards and locales. */
const alike: readonly [RegExp, string][] = [
  [/[\u060c\uff0c\uff64]/g, ','],
  [/[\uff0e\u3002\uff61]/g, '.'],
  [/[\u2018\u2019\u02bc\uff07\u00b4\u0060\u2032]/g, "'"],
  [/[\u2212\uff0d\ufe63\u2010\u2011\u2012\u2013]/g, '-'],
  [/[\uff0b\ufe62]/g, '+'],
  [/[\u066a\uff05\ufe6a]/g, '%'],
  [/[\uffe5]/g, '\u00a5'],
  [/[\uff04]/g, '$'],
  // Excludes tabs and line breaks, which separate two numbers.
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
]

/** Normalizes a number to Latin digits and one character per mark, trimmed. */
export function normalizeNumber(text: string): string {
  const visible = latinDigits(text.replace(invisible, ''))
  return alike.reduce((normalized, [marks, mark]) => normalized.replace(marks, mark), visible).trim()
}

/** The digits of every script as Latin ones. */
export const latinDigits = (text: string): string => text.replace(/\p{Nd}/gu, digitOf)

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** Unicode lists the digits of a script consecutively from zero to nine, and starts a block with a zero. */
function digitOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  let first = code
  while (first > 0 && isDigit(first - 1)) first -= 1
  return String((code - first) % 10)
}

export type Separators = { group: string; decimal: string }

const known = new Map<string, Separators>()

/** A language's group and decimal separators, as characters of `normalizeNumber`. */
export function separatorsOf(language: string): Separators {
  const found = known.get(language)
  if (found) return found
  const parts = new Intl.NumberFormat(language, { minimumFractionDigits: 1 }).formatToParts(1_234_567.5)
  const mark = (wanted: 'group' | 'decimal') => {
    const value = parts.find(({ type }) => type === wanted)?.value ?? ''
    return normalizeNumber(`0${value}0`).slice(1, -1)
  }
  const separators = { group: mark('group'), decimal: mark('decimal') }
  known.set(language, separators)
  return separators
}

/** A decimal for a text field: in the language's digits and decimal mark, without groups, so that it can be edited. */
export function typedText(decimal: string, language: string): string {
  const places = decimal.split('.')[1]?.length ?? 0
  const shape = { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false } as const
  return new Intl.NumberFormat(language, shape).format(decimal as Intl.StringNumericLiteral)
}
