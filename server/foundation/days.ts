import { sql } from 'kysely'
import type { Tx } from './database/database.ts'

/**
 * The zone for a statement. PostgreSQL lacks some names of the runtime or reads them as another zone: `IST` as Israel's, and the sign of
 * `+05:00` the other way round.
 */
export function zoneInDatabase(zone: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  const [, sign, hours] = /^([+-])(\d\d:\d\d)$/.exec(timeZone) ?? []
  return sign ? `<${timeZone}>${sign === '+' ? '-' : '+'}${hours}` : timeZone
}

export type Span = { from: Date; to: Date }

/** Start and end of a day in a time zone: 23 or 25 hours apart at a clock change. */
export async function spanOf(tx: Tx, day: string, zone: string): Promise<Span> {
  const known = zoneInDatabase(zone)
  const found = await sql<Span>`
    select (${day}::timestamp at time zone ${known}) as "from",
      ((${day}::timestamp + interval '1 day') at time zone ${known}) as "to"`.execute(tx)
  const [span] = found.rows
  if (!span) throw new Error('A day has a beginning and an end')
  return span
}

/** `2026-11-21` in a zone. Assembled from parts, since locale date formats differ between ICU releases. */
export function dayIn(at: Date, zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const { year, month, day } = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${year}-${month}-${day}`
}
