const dayMs = 86_400_000

/** A day of a filter, `yyyy-mm-dd`, begins and ends in UTC. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00Z`)
export const endOfDay = (day: string): Date => new Date(startOfDay(day).getTime() + dayMs)

/** `2026-11-21` in a zone. Put together of its parts: how a language writes a whole date differs by release of ICU. */
export function dayIn(at: Date, zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const { year, month, day } = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${year}-${month}-${day}`
}
