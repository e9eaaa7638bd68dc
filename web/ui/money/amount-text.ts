import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import { isDecimal } from '@atrium/contract/money/money.ts'
import { typedText } from '@atrium/contract/money/number-marks.ts'
import { shownNumber } from '@atrium/contract/money/number-texts.ts'
import { type NumberShape, readTypedNumber, type TypedNumber } from '@atrium/contract/money/typed-number.ts'

/**
 * The form value of an invalid number: its text, marked so that it is never taken for a decimal. Otherwise "1.000",
 * which may mean one or a thousand, would be sent as one.
 */
const notUnderstood = '?'

/** The form value of a typed number: a canonical decimal, empty, or text that every check refuses. */
export function formValue(read: TypedNumber, text: string): string {
  if ('value' in read) return read.value
  return read.problem.kind === 'missing' ? '' : `${text}${notUnderstood}`
}

/** The text of the field for a form value. */
export function fieldText(value: string, language: string): string {
  if (isDecimal(value)) return typedText(value, language)
  return value.endsWith(notUnderstood) ? value.slice(0, -1) : value
}

export const readFormValue = (text: string, shape: NumberShape): string => formValue(readTypedNumber(text, shape), text)

const exampleDecimals = 8

/** An empty field's example: nothing, with the decimals of the currency, as the reader writes it. */
export const zeroText = (currency: string | null, language: string): string =>
  shownNumber('0', language, currency === null ? 2 : Math.min(currencyDecimals(currency), exampleDecimals))
