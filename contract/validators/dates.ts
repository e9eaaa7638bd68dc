import { type ValidationResult, validatorTexts } from './messages.ts'

/** A calendar date in RFC 3339 format: `yyyy-mm-dd`. */
export type DayText = string

/** Checks that the date exists. The year 0000 is refused: PostgreSQL does not store it. */
export function validateDate(value: DayText): ValidationResult {
  const text = value.trim()
  return text === '' || isDay(text) ? null : validatorTexts.date
}

export function isDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
