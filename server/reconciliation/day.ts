import { sql } from 'kysely'
import type { Tx } from '../foundation/database.ts'

export type Span = { from: Date; to: Date }

/** When a day begins and ends there: 23 or 25 hours apart where clocks are changed. */
export async function spanOf(tx: Tx, day: string, zone: string): Promise<Span> {
  const found = await sql<Span>`
    select (${day}::timestamp at time zone ${zone}) as "from",
      ((${day}::timestamp + interval '1 day') at time zone ${zone}) as "to"`.execute(tx)
  const [span] = found.rows
  if (!span) throw new Error('A day has a beginning and an end')
  return span
}

export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10)
}
