/**
 * Days and moments in mails: months are English names, because 3/4 is ambiguous, and moments name their zone, because
 * the reader's is unknown.
 */

const language = 'en-GB'
const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
const momentFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `10 December 2026` for the calendar day `2026-12-10`, in any time zone. */
export const writtenDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))

/** `10 December 2026 at 14:05 (UTC)`. */
export const writtenMoment = (at: Date): string => `${momentFormat.format(at)} (UTC)`
