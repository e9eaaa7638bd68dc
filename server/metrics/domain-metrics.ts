import { type RawBuilder, sql } from 'kysely'

/** `seenSince`: who was last seen before is not there any more. */
export type Look = { now: Date; seenSince: Date }

/** What a domain tells operators of each workspace. */
export type DomainMetrics = {
  /** By name, without `atrium_`, with what it counts. */
  gauges: Readonly<Record<string, string>>
  /** One row of a workspace `w` with a column for each gauge, by an index: it is read every ten seconds. */
  select(look: Look): RawBuilder<unknown>
}

/** In seconds; 0 where there is none. */
export const ageOf = (now: Date, oldest: string): RawBuilder<number> =>
  sql`coalesce(extract(epoch from (${now}::timestamptz - ${sql.raw(oldest)})), 0)::float8`
