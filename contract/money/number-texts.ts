import Big from 'big.js'
import { numberFormat } from './intl-formats.ts'
import type { NumberProblem, NumberShape } from './typed-number.ts'

/** Errors of a number field. */
export const numberTexts = {
  malformed: 'Enter a number like {{example}}.',
  ambiguous: '\u201c{{text}}\u201d can mean {{decimal}} or {{grouped}}. Write it without thousands separators.',
  tooPrecise: 'Use at most {{count}} decimals.',
  whole: 'Enter a whole number.',
  otherCurrency: 'This amount is in {{currency}}. Enter it without another currency.',
} as const

export type NumberSentence = { text: string; values: Record<string, string | number> }

/** The error text of a number; null for an empty field, which the form judges. */
export function numberSentence(problem: NumberProblem, text: string, shape: NumberShape): NumberSentence | null {
  const { language, decimals, unit } = shape
  if (problem.kind === 'missing') return null
  if (problem.kind === 'other_currency') return { text: numberTexts.otherCurrency, values: { currency: unit ?? '' } }
  if (problem.kind === 'too_precise')
    return decimals === 0
      ? { text: numberTexts.whole, values: {} }
      : { text: numberTexts.tooPrecise, values: { count: decimals } }
  if (problem.kind === 'malformed') {
    const example =
      decimals === 0 ? shownNumber('1000', language) : shownNumber('1000.5', language, Math.min(2, decimals))
    return { text: numberTexts.malformed, values: { example } }
  }
  const shown = (value: string) => shownNumber(value, language, Math.min(2, decimals))
  const { asDecimal, asGrouped } = problem
  return {
    text: numberTexts.ambiguous,
    values: { text: text.trim(), decimal: shown(asDecimal), grouped: shown(asGrouped) },
  }
}

/** A decimal in the language's format, grouped, with all its decimals and at least `decimalsMin`. */
export function shownNumber(decimal: string, language: string, decimalsMin = 0): string {
  const { c: digitsOf, e: exponent } = new Big(decimal)
  const places = Math.max(0, digitsOf.length - exponent - 1)
  const digits = Math.max(decimalsMin, places)
  // Some languages do not group four digits; the grouping here makes the meaning clear.
  const shape = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: 'always' } as const
  return numberFormat(language, shape).format(decimal as Intl.StringNumericLiteral)
}
