import { startOfDay, startOfDayAfter } from '../text/format.ts'

/** The moment of a day, or undefined for one that the calendar does not have. */
function momentOf(day: string | undefined, read: (day: string) => number): number | undefined {
  const moment = day === undefined ? Number.NaN : read(day)
  return Number.isNaN(moment) ? undefined : moment
}

/** The first and last moment of these days in the reader's time zone; undefined for a day that is not set. */
export function momentsOfDays({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  const beyond = momentOf(to, startOfDayAfter)
  return { first: momentOf(from, startOfDay), last: beyond === undefined ? undefined : beyond - 1 }
}
