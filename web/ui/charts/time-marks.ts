import { dateFormat } from '@atrium/contract/money/intl-formats.ts'
import { readerLanguage, readerTimeZone } from '../text/format.ts'

const dayMs = 86_400_000
const marks = 5

/** Evenly spaced labels of the time axis, without both ends, where they would be clipped. */
export function timeMarks(from: number, to: number): number[] {
  const step = (to - from) / marks
  return Array.from({ length: marks }, (_, index) => Math.round(from + step * (index + 0.5)))
}

/** The time of day within two days, the day within a year, otherwise month and year. */
export function timeMark(at: number, spanMs: number, language = readerLanguage(), timeZone = readerTimeZone()): string {
  const shape: Intl.DateTimeFormatOptions =
    spanMs <= 2 * dayMs
      ? { hour: '2-digit', minute: '2-digit' }
      : spanMs <= 366 * dayMs
        ? { day: 'numeric', month: 'short' }
        : { month: 'short', year: 'numeric' }
  return dateFormat(language, { ...shape, timeZone }).format(at)
}
