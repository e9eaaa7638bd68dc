/**
 * Days and moments as a letter says them. Its words are English and so are its months, by name: 3/4 is two days. Its reader
 * may be anywhere, so a moment names its zone.
 */
const language = 'en-GB'
const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
const momentFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `10 December 2026` of a day of the calendar, `2026-12-10`, which is the same one everywhere. */
export const writtenDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))

/** `10 December 2026 at 14:05 (UTC)`. */
export const writtenMoment = (at: Date): string => `${momentFormat.format(at)} (UTC)`
