import { type RawBuilder, sql } from 'kysely'

/** `seenSince`: a session last used before this time has expired. */
export type MetricsTimes = { now: Date; seenSince: Date }

/** The per-workspace metrics of a domain. */
export type DomainMetrics = {
  /** Name without `atrium_`, and help text. */
  gauges: Readonly<Record<string, string>>
  /** One row per workspace `w` with a column for each gauge. Must use an index, since it runs every ten seconds. */
  select(times: MetricsTimes): RawBuilder<unknown>
}

/** In seconds; 0 when there is none. */
export const ageOf = (now: Date, oldest: string): RawBuilder<number> =>
  sql`coalesce(extract(epoch from (${now}::timestamptz - ${sql.raw(oldest)})), 0)::float8`
