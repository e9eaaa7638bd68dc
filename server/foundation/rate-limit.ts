import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { sql } from 'kysely'
import type { System } from './actor.ts'
import { makeConcurrencyLimiter } from './concurrency-limiter.ts'
import { type CommitWith, inPreparedTransaction, type Tx } from './database/database.ts'
import { prepareStatement } from './database/prepared-statement.ts'
import { keepRecent } from './database/recent.ts'
import { refuse } from './errors.ts'

export type Limit = { name: string; triesMax: number; windowSeconds: number }
/** A limit and the subject it counts. */
export type Counted = readonly [limit: Limit, subject: string]

/** Subjects are stored as hashes: a list of tried addresses is personal data. */
function bucketOf([limit, subject]: Counted): string {
  return `${limit.name}:${hash('sha256', subject, 'base64url')}`
}

const bytesOf = (group: number): string => `${group >> 8}.${group & 0xff}`

/** The network of an address. One household or server has 2^64 IPv6 addresses, so a /64 counts as one. */
export function networkOf(address: string | null | undefined): string {
  if (!address) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const [front, back] = [head, tail].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ]
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0') : []
  const groups = [...front, ...zeros, ...back].map((group) => group.replace(/^0+(?=.)/, ''))
  // IPv4 in hexadecimal: as one network, all of it would share a limit.
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff')
    return groups
      .slice(6)
      .map((group) => bytesOf(Number.parseInt(group, 16)))
      .join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * Counts a try against each limit before it is made, so that concurrent tries over any number of processes stay within
 * the limit in every sliding window. When one limit is used up, refuses with 429 and counts against none.
 */
export async function takeTries(system: System, counted: readonly Counted[]): Promise<void> {
  refuseIfUsedUp(system, counted)
  await withLimit(system, (tx) => countTries(tx, system, counted))
}

/**
 * How long a process trusts that a limit is used up without asking the database: another process may have returned a
 * try meanwhile.
 */
const believedMs = 2_000
const rememberedMax = 20_000
type UsedUp = { opensAgain: number; believedUntil: number }
/** Limits recently found used up in the database. */
const usedUp = keepRecent<UsedUp>(rememberedMax)
const nameInMemory = ({ workspaceId }: System, counted: Counted) => `${workspaceId} ${bucketOf(counted)}`

/**
 * Refuses a subject known to be over a limit before it enters a queue or costs a query. Without that knowledge the
 * database decides.
 */
export function refuseIfUsedUp(system: System, counted: readonly Counted[]): void {
  const now = system.context.clock.now()
  for (const each of counted) {
    const known = usedUp.find(nameInMemory(system, each))
    // A clock that was set back must not prolong a refusal.
    const isBelieved = known && known.believedUntil > now.getTime() && known.believedUntil <= now.getTime() + believedMs
    if (isBelieved) refuseUntil(known.opensAgain, now)
  }
}

function rememberUsedUp(system: System, counted: Counted, opensAgain: number): void {
  const believedUntil = Math.min(opensAgain, system.context.clock.now().getTime() + believedMs)
  usedUp.keep(nameInMemory(system, counted), { opensAgain, believedUntil })
}

/** Returns a try that succeeded or could not be checked, since neither is a wrong guess. */
export async function returnTries(system: System, counted: readonly Counted[]): Promise<void> {
  await withLimit(system, (tx, commitWith) => commitWith(() => uncountTries(tx, system, counted)))
}

export const takeTry = (system: System, limit: Limit, subject: string) => takeTries(system, [[limit, subject]])

/** Counts a guess at a secret, then checks it; returns the try if it was right or could not be checked. */
export async function guess(
  system: System,
  counted: readonly Counted[],
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  await takeTries(system, counted)
  let keeps = false
  try {
    keeps = !(await isRight())
    return !keeps
  } finally {
    if (!keeps) await returnTries(system, counted)
  }
}

function refuseUntil(opensAgain: number, now: Date): never {
  const retryAfterSeconds = Math.max(1, Math.ceil((opensAgain - now.getTime()) / 1000))
  refuse('too_many_requests', sessionTexts.tooManyTries, { retryAfterSeconds })
}

/**
 * Tries of one network wait for the same row. Limited concurrency keeps a burst of them from holding all connections,
 * so that readers do not wait.
 */
const counting = makeConcurrencyLimiter(2, { waitingMax: 512 })

function withLimit(system: System, change: (tx: Tx, commitWith: CommitWith) => Promise<void>): Promise<void> {
  const place = { whose: system.workspaceId, network: networkOf(system.address) }
  return counting(() => inPreparedTransaction(system, change), place)
}

/** Every caller locks rows in the order of their names, so two callers with the same rows never deadlock. */
function byBucket(counted: readonly Counted[]): { bucket: string; each: Counted }[] {
  const buckets = new Map(counted.map((each) => [bucketOf(each), each]))
  return [...buckets]
    .map(([bucket, each]) => ({ bucket, each }))
    .sort((one, other) => (one.bucket < other.bucket ? -1 : 1))
}

const int4Max = 2_147_483_647

/**
 * `takeTries` in the caller's transaction, which must roll back on a refusal; call it last, since the rows stay locked
 * until the transaction ends. A row without room is locked and not returned.
 */
export async function countTries(tx: Tx, system: System, counted: readonly Counted[]): Promise<void> {
  const rows = byBucket(counted)
  const taken = await countBuckets(tx, {
    workspaceId: system.workspaceId,
    at: system.context.clock.now(),
    buckets: rows.map(({ bucket }) => bucket),
    windows: rows.map(({ each: [limit] }) => limit.windowSeconds),
    most: rows.map(({ each: [limit] }) => Math.min(limit.triesMax, int4Max)),
  })
  if (taken.rows.length === rows.length) return
  const counts = new Set(taken.rows.map(({ bucket }) => bucket))
  const full = rows.find(({ bucket }) => !counts.has(bucket))
  if (full) await refuseUsedUp(tx, system, full)
}

type Counting = { workspaceId: string; at: Date; buckets: string[]; windows: number[]; most: number[] }

const countBuckets = prepareStatement('count_tries', (tx, { workspaceId, at, buckets, windows, most }: Counting) => {
  const now = sql`${at}::timestamptz`
  // In seconds, since a difference of a day is a calendar day of the session's time zone, which may have 23 or 25 hours.
  const window = sql`make_interval(secs => extract(epoch from excluded.expires_at - ${now}))`
  const counting = sql<{ bucket: string }>`
    insert into rate_limits as existing (workspace_id, bucket, tried_at, expires_at)
    select ${workspaceId}::uuid, bucket, array[${now}], ${now} + seconds * interval '1 second'
    from unnest(${buckets}::text[], ${windows}::int[]) as asked (bucket, seconds)
    on conflict (workspace_id, bucket) do update set
      -- A clock that was set back must not make a try count for longer than its window.
      tried_at = array(
        select least(at, ${now}) from unnest(existing.tried_at) with ordinality as tries (at, place)
        where least(at, ${now}) > ${now} - ${window} order by place) || excluded.tried_at,
      expires_at = excluded.expires_at
    where (
      select cardinality(existing.tried_at) < most
        or existing.tried_at[cardinality(existing.tried_at) - most + 1] <= ${now} - ${window}
      from unnest(${buckets}::text[], ${most}::int[]) as asked (bucket, most) where asked.bucket = excluded.bucket)
    returning bucket`
  return { compile: () => counting.compile(tx) }
})

async function refuseUsedUp(
  tx: Tx,
  system: System,
  { bucket, each }: ReturnType<typeof byBucket>[number],
): Promise<never> {
  const [{ triesMax, windowSeconds }] = each
  const now = system.context.clock.now()
  const { tried_at: tries } = await tx
    .selectFrom('rate_limits')
    .select('tried_at')
    .where('workspace_id', '=', system.workspaceId)
    .where('bucket', '=', bucket)
    .executeTakeFirstOrThrow()
  const first = Math.min(tries.at(-triesMax)?.getTime() ?? now.getTime(), now.getTime())
  const opensAgain = first + windowSeconds * 1000
  rememberUsedUp(system, each, opensAgain)
  return refuseUntil(opensAgain, now)
}

/** `returnTries` in the caller's transaction. Call it last: the rows stay locked until the transaction ends. */
export async function uncountTries(tx: Tx, system: System, counted: readonly Counted[]): Promise<void> {
  for (const each of counted) usedUp.forget(nameInMemory(system, each))
  const buckets = byBucket(counted).map(({ bucket }) => bucket)
  await uncountBuckets(tx, { workspaceId: system.workspaceId, at: system.context.clock.now(), buckets })
}

type Returned = { workspaceId: string; at: Date; buckets: string[] }

const uncountBuckets = prepareStatement('return_tries', (tx, { workspaceId, at, buckets }: Returned) => {
  const returning = sql`
    insert into rate_limits as existing (workspace_id, bucket, tried_at, expires_at)
    select ${workspaceId}::uuid, bucket, '{}'::timestamptz[], ${at}::timestamptz
    from unnest(${buckets}::text[]) as asked (bucket)
    on conflict (workspace_id, bucket) do update set tried_at = existing.tried_at[:cardinality(existing.tried_at) - 1]`
  return { compile: () => returning.compile(tx) }
})
