import { dateFormat } from '@atrium/contract/money/intl-formats.ts'
import { normalizeNumber } from '@atrium/contract/money/number-marks.ts'
import { isDay } from '@atrium/contract/validators/dates.ts'
import { readerLanguage } from './format.ts'

/** A day in the order of a language, and on the wire: `31/12/2026` or `12/31/2026`, and `2026-12-31`. */
type Part = 'day' | 'month' | 'year'

const signs: Record<Part, string> = { day: 'dd', month: 'mm', year: 'yyyy' }
const isPart = (type: string): type is Part => Object.hasOwn(signs, type)

const numeric: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  timeZone: 'UTC',
  calendar: 'gregory',
  numberingSystem: 'latn',
}

const partsOf = (at: number, language: string): Intl.DateTimeFormatPart[] =>
  dateFormat(language, numeric).formatToParts(at)

/** The placeholder of an empty field. */
export function dayPattern(language = readerLanguage()): string {
  return partsOf(0, language)
    .map(({ type, value }) => (isPart(type) ? signs[type] : value))
    .join('')
}

export function writeDay(day: string, language = readerLanguage()): string {
  if (!isDay(day)) return day
  return partsOf(Date.parse(`${day}T00:00:00Z`), language)
    .map(({ value }) => value)
    .join('')
}

/** Reads the order of the language, in any digits, and always the ISO format. An invalid day is null. */
export function readDay(text: string, language = readerLanguage()): string | null {
  const trimmed = normalizeNumber(text).slice(0, 40)
  if (isDay(trimmed)) return trimmed
  const numbers = trimmed.split(/[^0-9]/).filter((part) => part !== '')
  const order = partsOf(0, language).flatMap(({ type }) => (isPart(type) ? [type] : []))
  const written = (part: Part, digits: number) => (numbers[order.indexOf(part)] ?? '').padStart(digits, '0')
  // A two-digit year is ambiguous.
  if (numbers.length !== 3 || numbers[order.indexOf('year')]?.length !== 4) return null
  const day = `${written('year', 4)}-${written('month', 2)}-${written('day', 2)}`
  return isDay(day) ? day : null
}
