import { dayIn, readerTimeZone, startOfDay } from '../../ui/text/format.ts'

/** The dashboard's period, as stored in the URL. Whole days of the reader's calendar, including today. */
export const periods = ['30d', '90d', 'year', 'all'] as const
export type Period = (typeof periods)[number]

const usual: Period = '30d'
const days: Record<Exclude<Period, 'all'>, number> = { '30d': 30, '90d': 90, year: 365 }

/** Ignores invalid values in the URL. */
export const readPeriod = (search: Record<string, unknown>): Period =>
  periods.find((period) => period === search.period) ?? usual

export const writePeriod = (period: Period): Record<string, string> => (period === usual ? {} : { period })

/** The first day (yyyy-mm-dd) and its first moment; null for the period from the beginning. */
export function beginningOf(
  period: Period,
  now: number,
  timeZone = readerTimeZone(),
): { day: string; at: number } | null {
  if (period === 'all') return null
  const first = new Date(`${dayIn(now, timeZone)}T00:00:00Z`)
  first.setUTCDate(first.getUTCDate() - days[period] + 1)
  const day = first.toISOString().slice(0, 10)
  return { day, at: startOfDay(day, timeZone) }
}
