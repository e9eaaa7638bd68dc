import { channel } from 'node:diagnostics_channel'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { texts } from '@atrium/contract/texts.ts'
import { sql } from 'kysely'
import { Piscina } from 'piscina'
import type { Actor } from '../../foundation/actor.ts'
import { makeConcurrencyLimiter } from '../../foundation/concurrency-limiter.ts'
import { reading } from '../../foundation/database/database.ts'
import { Refusal } from '../../foundation/errors.ts'
import { networkOf } from '../../foundation/rate-limit.ts'
import type { ToCompare, ToHash } from './hashing-thread.ts'

/** OWASP's minimum for argon2id (the library's default): 19 MiB, two passes, one lane. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A hash takes a core for about 30 ms: one core stays free for other calls, and the queue holds a second or two of
 * work, so that a flood of sign-ins is refused with retry-after instead of delaying other calls. Each process has its
 * own limiter.
 */
const places = Math.max(1, availableParallelism() - 1)
const retryAfterSeconds = 2
const tooLong = () => new Refusal('unavailable', texts.requestFailed, { retryAfterSeconds })
const queue = makeConcurrencyLimiter(2 * places, {
  waitingMax: 64,
  patience: { ms: 10_000, over: tooLong },
  retryAfterSeconds,
})
/** The next sign-in queries the database while earlier ones are hashed, so that no core is idle. */
const hashing = makeConcurrencyLimiter(places)

/** The latency of a trivial query on an idle database, with room for a slow machine. */
const quietMsMax = 4
const stepsBackTimes = 8
const stepsBackMsMax = 1_000
/** A slower answer means the longest wait. */
const measuredMsMax = quietMsMax + stepsBackMsMax / stepsBackTimes

/**
 * The latency of a trivial query shows how long other work waits for a core or a connection: above its idle value,
 * confirmed by a second query, the hash waits a multiple of the excess. Thread niceness is not enough: it has no effect
 * on the database and other processes where each has its own CPU share.
 */
async function measureWait(asker: Actor): Promise<number> {
  const first = await measureLatency(asker)
  const isClear = first <= quietMsMax || first >= measuredMsMax
  const tookMs = isClear ? first : Math.min(first, await measureLatency(asker))
  return Math.min(stepsBackMsMax, Math.max(0, tookMs - quietMsMax) * stepsBackTimes)
}

async function measureLatency(asker: Actor): Promise<number> {
  const from = performance.now()
  const answer = reading(asker, (tx) => sql`select 1`.execute(tx))
  // The answer may arrive after the race, so its error is ignored.
  answer.catch(() => undefined)
  await Promise.race([answer, pause(measuredMsMax)])
  return performance.now() - from
}

/** Threads of lower priority: a hash can wait, a page cannot. Once all run, each holds the next hash beside its own. */
const threads = new Piscina({
  filename: new URL('./hashing-thread.ts', import.meta.url).href,
  minThreads: 0,
  maxThreads: places,
  concurrentTasksPerWorker: 2,
  loadBalancer: (_task, workers) => {
    const least = workers.toSorted((one, other) => one.currentUsage - other.currentUsage)[0]
    return least && least.currentUsage < (workers.length < places ? 1 : 2) ? least : null
  },
  idleTimeout: 60_000,
  niceIncrement: 10,
})
const hashThere = (asked: ToHash): Promise<string> => threads.run(asked, { name: 'hash' })
const compareThere = (asked: ToCompare): Promise<boolean> => threads.run(asked, { name: 'compare' })

/** Checks that wait before their hash, or behind one that does: none goes ahead of them. */
let steppingBack = 0

/** Published for each password check, so that tests count checks instead of answers. */
export const evaluations = channel('atrium.password.evaluated')

/** Devices encode the same letter as different code points (RFC 8265): é is one or two. */
const sameEverywhere = (password: string) => password.normalize('NFC')

export function hashPassword(password: string, asker?: Actor): Promise<string> {
  return queued(asker, () => hashing(() => hashThere({ password: sameEverywhere(password), cost: passwordCost })))
}

/** Queues by brokerage and network, so that a flood from one does not delay another. */
function queued<Result>(asker: Actor | undefined, work: () => Promise<Result>): Promise<Result> {
  return queue(work, asker && { whose: asker.workspaceId, network: networkOf(asker.address) })
}

let nobodysHash: Promise<string> | undefined
/** The hash of a random password, compared for an unknown email, so that it takes the same time. */
function hashOfNobody(): Promise<string> {
  nobodysHash ??= hashPassword(crypto.randomUUID()).catch((refused) => {
    // The queue was full: a cached failure would refuse unknown emails for the life of the process.
    nobodysHash = undefined
    throw refused
  })
  return nobodysHash
}

/** Null for an unknown person, which takes the same time. */
type StoredHash = string | null

export function isPasswordOf(stored: StoredHash, password: string, asker?: Actor): Promise<boolean> {
  return compareInTurn(password, asker, async () => ({
    stored,
    waitMs: asker ? await measureWait(asker) : 0,
  }))
}

/** The person that `look` finds, if this is their password. When its answer is quick, nothing else is measured. */
export async function findByPassword<Found extends { passwordHash: string }>(
  look: () => Promise<Found | null>,
  password: string,
  asker: Actor,
): Promise<Found | null> {
  const seen: { found: Found | null } = { found: null }
  const isRight = await compareInTurn(password, asker, async () => {
    const from = performance.now()
    seen.found = await look()
    const isQuiet = performance.now() - from <= quietMsMax
    return { stored: seen.found?.passwordHash ?? null, waitMs: isQuiet ? 0 : await measureWait(asker) }
  })
  return isRight ? seen.found : null
}

type Ready = { stored: StoredHash; waitMs: number }

/** `prepare` runs when the check has a place in the queue. */
async function compareInTurn(
  password: string,
  asker: Actor | undefined,
  prepare: () => Promise<Ready>,
): Promise<boolean> {
  // For every person: the first call of a process waits for this hash, which must not reveal whether the email is known.
  const ofNobody = await hashOfNobody()
  return queued(asker, async () => {
    const { stored, waitMs } = await prepare()
    const compared = stored ?? ofNobody
    const compareNow = (): Promise<boolean> => {
      evaluations.publish({})
      return compareThere({ password: sameEverywhere(password), stored: compared })
    }
    const matches = await compareWhenQuiet(waitMs, compareNow)
    return matches && stored !== null
  })
}

function compareWhenQuiet(waitMs: number, compareNow: () => Promise<boolean>): Promise<boolean> {
  if (waitMs === 0 && steppingBack === 0) {
    // A thread that ends one hash begins this one without waiting for the event loop, which may be busy.
    const comparing = compareNow()
    comparing.catch(() => undefined) // Reported below, once this check has its turn.
    return hashing(() => comparing)
  }
  steppingBack += 1
  const notBefore = performance.now() + waitMs
  return hashing(async () => {
    // The hash before it counts as part of the wait, in which it left the other cores to others.
    const leftMs = notBefore - performance.now()
    if (leftMs > 0) await pause(leftMs)
    steppingBack -= 1
    return compareNow()
  })
}
