import { dateFormat, numberFormat } from '@atrium/contract/money/intl-formats.ts'
import { formatAmount, isDecimal } from '@atrium/contract/money/money.ts'
import { shownNumber } from '@atrium/contract/money/number-texts.ts'

/** A language that Intl takes: some systems name theirs "en-US@posix", which is no language tag. */
export function usableLanguage(named: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(named?.replace(/[@.].*$/, ''))[0] ?? 'en'
  } catch {
    return 'en'
  }
}

let known: string | undefined
let chosen: { language: string | null; timeZone: string | null } = { language: null, timeZone: null }

/** What the person who is signed in chose; null is as the browser has it. Told before anything of theirs is shown. */
export function setReader(reader: { language: string | null; timeZone: string | null }): void {
  chosen = { ...reader, timeZone: usableTimeZone(reader.timeZone) }
}

/** A zone that this browser's time zone database does not have yet would take every page away that shows a date. */
function usableTimeZone(zone: string | null): string | null {
  try {
    if (zone !== null) new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    return null
  }
}

/** How this person writes numbers and dates; the texts may be in another language. */
export function readerLanguage(): string {
  known ??= usableLanguage(globalThis.navigator?.language)
  return chosen.language ?? known
}

/** Undefined is the browser's own. */
export const readerTimeZone = (): string | undefined => chosen.timeZone ?? undefined

/** In English moments are written as the specification has them, whoever's English it is; who chose a format has that one. */
const dateLanguage = (): string =>
  chosen.language === null && /^en\b/i.test(readerLanguage()) ? specified : readerLanguage()
const specified = 'en-US'
const clockOf = (language: string): Intl.DateTimeFormatOptions => ({
  hour: '2-digit',
  minute: '2-digit',
  ...(language === specified && chosen.language !== specified && { hourCycle: 'h23' }),
})

export const day = (at: number, language = dateLanguage(), timeZone = readerTimeZone()) =>
  dateFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(at)

export const time = (at: number, language = dateLanguage(), timeZone = readerTimeZone()) =>
  dateFormat(language, { ...clockOf(language), timeZone }).format(at)

/** "16:00 CET". */
export const timeAndZone = (at: number, language = dateLanguage(), timeZone = readerTimeZone()) =>
  dateFormat(language, { ...clockOf(language), timeZoneName: 'short', timeZone }).format(at)

/** "Nov 21, 2026 14:05". */
export const dayAndTime = (at: number, language = dateLanguage(), timeZone = readerTimeZone()) =>
  `${day(at, language, timeZone)} ${time(at, language, timeZone)}`

/** The same of a moment by which something has to be done: the clock that is meant is named. */
export const dayAndZone = (at: number, language = dateLanguage(), timeZone = readerTimeZone()) =>
  `${day(at, language, timeZone)} ${timeAndZone(at, language, timeZone)}`

export const exactTime = (at: number, language = readerLanguage(), timeZone = readerTimeZone()) =>
  dateFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone }).format(at)

/**
 * The first moment of a day (yyyy-mm-dd) where this person lives. The offset is looked up twice, since the one of the
 * moment taken first may be that of the other side of a change of the clocks. Where they go forward at midnight there is
 * none, and the day begins at one.
 */
export function startOfDay(dayText: string, timeZone = readerTimeZone()): number {
  const asUtc = new Date(`${dayText}T00:00:00Z`).getTime()
  if (Number.isNaN(asUtc)) return Number.NaN
  const first = asUtc - offsetMs(asUtc, timeZone)
  const second = asUtc - offsetMs(first, timeZone)
  return second + offsetMs(second, timeZone) < asUtc ? first : second
}

/** Where a day ends: the first moment of the one after, since a day may have 23 hours or 25. */
export function startOfDayAfter(dayText: string, timeZone = readerTimeZone()): number {
  const next = new Date(`${dayText}T00:00:00Z`)
  if (Number.isNaN(next.getTime())) return Number.NaN
  next.setUTCDate(next.getUTCDate() + 1)
  return startOfDay(next.toISOString().split('T')[0] ?? '', timeZone)
}

/** A day of the calendar, which is the same one everywhere. */
export const calendarDay = (text: string): string => day(startOfDay(text, 'UTC'), undefined, 'UTC')

/** The day (yyyy-mm-dd) that it is somewhere. Put together of its parts: how a language writes a whole date differs by browser. */
export function dayIn(at: number, timeZone = readerTimeZone()): string {
  const format = dateFormat('en', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })
  const {
    year,
    month,
    day: date,
  } = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${year}-${month}-${date}`
}

/** How far the clocks of a zone are ahead of UTC at a moment. */
function offsetMs(at: number, timeZone: string | undefined): number {
  const shape = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = dateFormat('en', { ...shape, second: 'numeric', hourCycle: 'h23', timeZone })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, date, hour, minute, second) - Math.floor(at / 1000) * 1000
}

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** "5 minutes ago" for what is younger than a day; null for what is older, where the date says more. */
export function relativeTime(at: number, now: number, language = readerLanguage()): string | null {
  const age = now - at
  if (age >= dayMs || age < -minuteMs) return null
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (age < minuteMs) return relative.format(0, 'second')
  if (age < hourMs) return relative.format(-Math.floor(age / minuteMs), 'minute')
  return relative.format(-Math.floor(age / hourMs), 'hour')
}

export type Sign = 'always' | 'negative'

/** "+1,250.00" or "−12.50": a real minus sign, and a plus where a gain is meant. */
export function signedAmount(amount: string, currency: string, sign: Sign, language = readerLanguage()): string {
  const isNegative = amount.startsWith('-')
  const figure = formatAmount(isNegative ? amount.slice(1) : amount, currency, language)
  if (isNegative) return /[1-9]/.test(figure) ? `\u2212${figure}` : figure
  return sign === 'always' && /[1-9]/.test(figure) ? `+${figure}` : figure
}

/** "1,250.50%" of an exact decimal; a dash where there is none. */
export function percent(decimal: string | null, language = readerLanguage()): string {
  if (decimal === null) return '\u2013'
  const shape = { style: 'unit', unit: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
  return numberFormat(language, shape).format(decimal as Intl.StringNumericLiteral)
}

/** "1,250.50" of a decimal, with the decimals that it has; other text as it is. */
export function numberText(decimal: string, language = readerLanguage()): string {
  return isDecimal(decimal) ? shownNumber(decimal, language, decimal.split('.')[1]?.length) : decimal
}

/** "Deposit, Withdraw and Support". */
export const listInWords = (names: readonly string[], language = readerLanguage()): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(names)

/** A file's size as people read it: 1 KB is 1000 bytes, as everywhere here. */
export function fileSize(bytes: number, language = readerLanguage()): string {
  const number = (value: number, digits: number) =>
    numberFormat(language, { maximumFractionDigits: digits }).format(value)
  if (bytes < 1_000_000) return `${number(Math.max(1, Math.round(bytes / 1000)), 0)} KB`
  return `${number(bytes / 1_000_000, 1)} MB`
}
