import { dateFormat, numberFormat, relativeFormat } from '@atrium/contract/money/intl-formats.ts'
import { formatAmount, isDecimal } from '@atrium/contract/money/money.ts'
import { shownNumber } from '@atrium/contract/money/number-texts.ts'
import { serverNow } from '../../api/transport.ts'

/** A language that Intl accepts: some systems report "en-US@posix", which is no language tag. */
export function usableLanguage(named: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(named?.replace(/[@.].*$/, ''))[0] ?? 'en'
  } catch {
    return 'en'
  }
}

let known: string | undefined
let chosen: { language: string | null; timeZone: string | null } = { language: null, timeZone: null }

/** The chosen zone, once a date needed it; the first date format of a page takes 20 ms on a slow phone. */
let checkedZone: string | null | undefined

/** The preferences of the signed-in person; null means the browser's. Called before any of their data is displayed. */
export function setReader(reader: { language: string | null; timeZone: string | null }): void {
  chosen = reader
  checkedZone = undefined
}

/** Drops a zone that this browser does not know: Intl would throw on every page that shows a date. */
function usableTimeZone(zone: string | null): string | null {
  try {
    if (zone !== null) new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    return null
  }
}

/** The language of numbers and dates; the texts may be in another language. */
export function readerLanguage(): string {
  known ??= usableLanguage(globalThis.navigator?.language)
  return chosen.language ?? known
}

/** Undefined means the browser's own. */
export function readerTimeZone(): string | undefined {
  if (checkedZone === undefined) checkedZone = usableTimeZone(chosen.timeZone)
  return checkedZone ?? undefined
}

/** In English, moments have the specification's format for every variant of English, unless the member chose a format. */
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

/** The time of a moment of today; otherwise the day, since a time alone would be taken for today's. */
export const timeOrDay = (at: number, now = serverNow()): string => (day(at) === day(now) ? time(at) : day(at))

/** "16:00 CET". */
export const timeAndZone = (at: number, language = dateLanguage(), timeZone = readerTimeZone()) =>
  dateFormat(language, { ...clockOf(language), timeZoneName: 'short', timeZone }).format(at)

/** "Nov 21, 2026 14:05". */
export const dayAndTime = (at: number, language = dateLanguage(), timeZone = readerTimeZone()) =>
  `${day(at, language, timeZone)} ${time(at, language, timeZone)}`

/** The same for a deadline, with the time zone. */
export const dayAndZone = (at: number, language = dateLanguage(), timeZone = readerTimeZone()) =>
  `${day(at, language, timeZone)} ${timeAndZone(at, language, timeZone)}`

export const exactTime = (at: number, language = readerLanguage(), timeZone = readerTimeZone()) =>
  dateFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone }).format(at)

/**
 * The first moment of a day (yyyy-mm-dd) in this person's time zone, looked up twice, since the first estimate may be
 * on the other side of a clock change. When the clocks go forward at midnight, the day begins at one.
 */
export function startOfDay(dayText: string, timeZone = readerTimeZone()): number {
  const asUtc = new Date(`${dayText}T00:00:00Z`).getTime()
  if (Number.isNaN(asUtc)) return Number.NaN
  const first = asUtc - offsetMs(asUtc, timeZone)
  const second = asUtc - offsetMs(first, timeZone)
  return second + offsetMs(second, timeZone) < asUtc ? first : second
}

/** The end of a day: the first moment of the next one, since a day may have 23 or 25 hours. */
export function startOfDayAfter(dayText: string, timeZone = readerTimeZone()): number {
  const next = new Date(`${dayText}T00:00:00Z`)
  if (Number.isNaN(next.getTime())) return Number.NaN
  next.setUTCDate(next.getUTCDate() + 1)
  return startOfDay(next.toISOString().split('T')[0] ?? '', timeZone)
}

/** A calendar day, independent of the time zone. */
export const calendarDay = (text: string): string => day(startOfDay(text, 'UTC'), undefined, 'UTC')

/** The day (yyyy-mm-dd) in a time zone. Built from parts, since browsers format whole dates differently. */
export function dayIn(at: number, timeZone = readerTimeZone()): string {
  const format = dateFormat('en', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })
  const {
    year,
    month,
    day: date,
  } = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${year}-${month}-${date}`
}

/** The offset of a zone from UTC at a moment, in milliseconds. */
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

/** "5 minutes ago" for less than a day; null for an older moment, where the date is more useful. */
export function relativeTime(at: number, now = serverNow(), language = readerLanguage()): string | null {
  const age = now - at
  if (age >= dayMs || age < -minuteMs) return null
  const relative = relativeFormat(language)
  if (age < minuteMs) return relative.format(0, 'second')
  if (age < hourMs) return relative.format(-Math.floor(age / minuteMs), 'minute')
  return relative.format(-Math.floor(age / hourMs), 'hour')
}

export type Sign = 'always' | 'negative'

/** "+1,250.00" or "−12.50": a true minus sign, and a plus for a gain. Zero is judged before digits of other scripts replace it. */
export function signedAmount(amount: string, currency: string, sign: Sign, language = readerLanguage()): string {
  const isNegative = amount.startsWith('-')
  const absolute = formatAmount(isNegative ? amount.slice(1) : amount, currency, language)
  if (!/[1-9]/.test(amount)) return absolute
  return isNegative ? `\u2212${absolute}` : sign === 'always' ? `+${absolute}` : absolute
}

/** "1,250.50%" for an exact decimal; a dash for null. */
export function percent(decimal: string | null, language = readerLanguage()): string {
  if (decimal === null) return '\u2013'
  const shape = { style: 'unit', unit: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
  return numberFormat(language, shape).format(decimal as Intl.StringNumericLiteral)
}

/** "1,250.50" for a decimal, with all of its decimals; other text is unchanged. */
export function numberText(decimal: string, language = readerLanguage()): string {
  return isDecimal(decimal) ? shownNumber(decimal, language, decimal.split('.')[1]?.length) : decimal
}

/** The first number and the first date of a page take a slow phone 20 to 40 ms each, which would be part of a render. */
export function prepareFormats(): void {
  setTimeout(() => numberText('0'))
  setTimeout(() => day(0))
}

/** "Deposit, Withdraw and Support". */
export const listInWords = (names: readonly string[], language = readerLanguage()): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(names)

/** A file's size in readable units; 1 KB is 1000 bytes, as everywhere here. */
export function fileSize(bytes: number, language = readerLanguage()): string {
  const number = (value: number, digits: number) =>
    numberFormat(language, { maximumFractionDigits: digits }).format(value)
  if (bytes < 1_000_000) return `${number(Math.max(1, Math.round(bytes / 1000)), 0)} KB`
  return `${number(bytes / 1_000_000, 1)} MB`
}
