import { isDecimal } from '@atrium/contract/money/money.ts'
import { typedText } from '@atrium/contract/money/number-marks.ts'
import { type NumberShape, readTypedNumber, type TypedNumber } from '@atrium/contract/money/typed-number.ts'

/**
 * What a form keeps of a number that was not understood: the text, marked so that nothing takes it for a decimal. "1.000"
 * that may be one or a thousand would else be sent as one.
 */
const notUnderstood = '?'

/** What a form keeps of a typed number: a canonical decimal, nothing, or text that every check refuses. */
export function keptValue(read: TypedNumber, text: string): string {
  if ('value' in read) return read.value
  return read.problem.kind === 'missing' ? '' : `${text}${notUnderstood}`
}

/** What stands in the field for a value that a form holds. */
export function fieldText(value: string, language: string): string {
  if (isDecimal(value)) return typedText(value, language)
  return value.endsWith(notUnderstood) ? value.slice(0, -1) : value
}

export const readKept = (text: string, shape: NumberShape): string => keptValue(readTypedNumber(text, shape), text)
