import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { sql } from 'kysely'
import type { System } from './actor.ts'
import { makeConcurrencyLimiter } from './concurrency-limiter.ts'
import { inTransaction, type Tx } from './database/database.ts'
import { keepRecent } from './database/recent.ts'
import { refuse } from './errors.ts'

export type Limit = { name: string; triesMax: number; windowSeconds: number }
/** A limit and whom it counts. */
export type Counted = readonly [limit: Limit, subject: string]

/** Who is limited never stands in the table in the clear: a list of tried addresses is personal data. */
function bucketOf([limit, subject]: Counted): string {
  return `${limit.name}:${createHash('sha256').update(subject).digest('base64url')}`
}

/** Whom an address belongs to. A household or a rented server has 2^64 addresses of IPv6: they count as one. */
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
  const groups = [...front, ...zeros, ...back].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.join(':')}::/64`
}

/**
 * Counts one try against each limit before it is made, so that any number at the same instant, over any number of
 * processes, gets no more than the limit in any stretch of its window's length. When one of them is used up the try is
 * refused with 429 and counts against none.
 */
export async function takeTries(system: System, counted: readonly Counted[]): Promise<void> {
  refuseIfUsedUp(system, counted)
  const now = system.context.clock.now()
  await changeTries(system, counted, (each, earlier) => {
    const [limit] = each
    const tries = earlier.filter((at) => at.getTime() > now.getTime() - limit.windowSeconds * 1000)
    const first = tries[tries.length - limit.triesMax]
    if (first) {
      const opensAgain = first.getTime() + limit.windowSeconds * 1000
      rememberUsedUp(system, each, opensAgain)
      refuseUntil(opensAgain, now)
    }
    return [...tries, now]
  })
}

/**
 * How long a process believes that a limit is still used up without asking the database: another process may have given a
 * try back meanwhile.
 */
const believedMs = 2_000
const rememberedMax = 20_000
type UsedUp = { opensAgain: number; believedUntil: number }
/** Limits that the database has just called used up. */
const usedUp = keepRecent<UsedUp>(rememberedMax)
const nameInMemory = ({ workspaceId }: System, counted: Counted) => `${workspaceId} ${bucketOf(counted)}`

/**
 * Refuses whoever is over a limit as far as this process knows: before they wait in any line or cost the database anything.
 * Where it knows nothing the database decides.
 */
export function refuseIfUsedUp(system: System, counted: readonly Counted[]): void {
  const now = system.context.clock.now()
  for (const each of counted) {
    const known = usedUp.find(nameInMemory(system, each))
    // A clock that was set back must not make a refusal last.
    const isBelieved = known && known.believedUntil > now.getTime() && known.believedUntil <= now.getTime() + believedMs
    if (isBelieved) refuseUntil(known.opensAgain, now)
  }
}

function rememberUsedUp(system: System, counted: Counted, opensAgain: number): void {
  const believedUntil = Math.min(opensAgain, system.context.clock.now().getTime() + believedMs)
  usedUp.keep(nameInMemory(system, counted), { opensAgain, believedUntil })
}

/** Gives a try back: one that succeeded says nothing about guessing, and one that was not looked at was none. */
export async function returnTries(system: System, counted: readonly Counted[]): Promise<void> {
  await changeTries(system, counted, (each, tries) => {
    usedUp.forget(nameInMemory(system, each))
    return tries.slice(0, -1)
  })
}

export const takeTry = (system: System, limit: Limit, subject: string) => takeTries(system, [[limit, subject]])

/** One guess at a secret: counted, then looked at; given back when it was right or could not be looked at. */
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
 * Everybody of one network is counted in one row, and waits there for the others. Few at once: or a storm of tries would hold
 * every connection of this process while it waits, and whoever only reads a page would wait with it.
 */
const counting = makeConcurrencyLimiter(2, { waitingMax: 512 })

type Change = (counted: Counted, tries: Date[]) => Date[]

/** Locks the rows in the order of their names, whoever asks: two that want the same ones never wait for each other. */
async function changeTries(system: System, counted: readonly Counted[], change: Change): Promise<void> {
  const byBucket = new Map(counted.map((each) => [bucketOf(each), each]))
  const buckets = [...byBucket.keys()].sort()
  const now = system.context.clock.now()
  const count = async (tx: Tx) => {
    const kept = await lockBuckets(tx, system, buckets)
    const rows = buckets.map((bucket) => {
      const each = byBucket.get(bucket) as Counted
      // A clock that was set back must not make a try count for longer than its window.
      const tries = (kept.get(bucket) ?? []).map((at) => new Date(Math.min(at.getTime(), now.getTime())))
      const tried_at = change(each, tries)
      const last = tried_at.at(-1) ?? now
      return { bucket, tried_at, expires_at: new Date(last.getTime() + each[0].windowSeconds * 1000) }
    })
    await writeBuckets(tx, system, rows)
  }
  const place = { whose: system.workspaceId, network: networkOf(system.address) }
  await counting(() => inTransaction(system, count), place)
}

type Row = { bucket: string; tried_at: Date[]; expires_at: Date }

function writeBuckets(tx: Tx, system: System, rows: Row[]) {
  return tx
    .insertInto('rate_limits')
    .values(rows.map((row) => ({ workspace_id: system.workspaceId, ...row })))
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'bucket']).doUpdateSet((row) => ({
        tried_at: row.ref('excluded.tried_at'),
        expires_at: row.ref('excluded.expires_at'),
      })),
    )
    .execute()
}

async function lockBuckets(tx: Tx, system: System, buckets: string[]): Promise<Map<string, Date[]>> {
  const now = system.context.clock.now()
  const rows = await tx
    .insertInto('rate_limits')
    .values(buckets.map((bucket) => ({ workspace_id: system.workspaceId, bucket, tried_at: [], expires_at: now })))
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'bucket']).doUpdateSet({ bucket: sql`excluded.bucket` }),
    )
    .returning(['bucket', 'tried_at'])
    .execute()
  return new Map(rows.map((row) => [row.bucket, row.tried_at]))
}
