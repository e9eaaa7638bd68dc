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

/** OWASP's lower bound for argon2id (the library's default kind): 19 MiB, two passes, one lane. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A hash takes a core for some 30 ms. One core of the machine is left to everybody else's calls, and the line is as long as
 * a second or two of work: a storm of sign-ins is told to come again instead of starving the others. A process has its
 * cores once, so the concurrency limiter is the process's own.
 */
const places = Math.max(1, availableParallelism() - 1)
const retryAfterSeconds = 2
const tooLong = () => new Refusal('unavailable', texts.requestFailed, { retryAfterSeconds })
const line = makeConcurrencyLimiter(2 * places, {
  waitingMax: 64,
  patience: { ms: 10_000, over: tooLong },
  retryAfterSeconds,
})
/** Whoever is next asks the database while those before them are hashed, so that no core waits for an answer. */
const hashing = makeConcurrencyLimiter(places)

/** What the database takes to answer next to nothing where nobody waits, with room for a slow machine. */
const quietMsMax = 4
const stepsBackTimes = 8
const stepsBackMsMax = 1_000

/**
 * How long the database takes to answer next to nothing tells how much everybody else waits, whatever it is that they wait for:
 * its cores, ours or a connection. Where that is no more than it takes alone, nobody waits and the hash does not either;
 * otherwise it waits a multiple of what is beyond, and no longer for the answer than what makes the longest
 * wait: others want the core that it holds meanwhile. The niceness of a thread does not do it, since the
 * database and other processes are not weighed against it where each has a share of the machine.
 */
async function measureWait(asker: Actor): Promise<number> {
  const from = performance.now()
  const answer = reading(asker, (tx) => sql`select 1`.execute(tx))
  // One that comes too late is nobody's any more, and so is its failure.
  answer.catch(() => undefined)
  await Promise.race([answer, pause(stepsBackMsMax / stepsBackTimes)])
  const tookMs = performance.now() - from
  return Math.min(stepsBackMsMax, Math.max(0, tookMs - quietMsMax) * stepsBackTimes)
}

/** Threads that step back for whatever else this machine has to do: a hash may wait, an answer to a page may not. */
const threads = new Piscina({
  filename: new URL('./hashing-thread.ts', import.meta.url).href,
  minThreads: 0,
  maxThreads: places,
  idleTimeout: 60_000,
  niceIncrement: 10,
})
const hashThere = (asked: ToHash): Promise<string> => threads.run(asked, { name: 'hash' })
const compareThere = (asked: ToCompare): Promise<boolean> => threads.run(asked, { name: 'compare' })

/** Each password that is looked at, for whoever counts guesses by what was evaluated and not by what was answered. */
export const evaluations = channel('atrium.password.evaluated')

/** The same letters typed on another device may come as other code points (RFC 8265): é is one or two. */
const sameEverywhere = (password: string) => password.normalize('NFC')

export function hashPassword(password: string, asker?: Actor): Promise<string> {
  return inLine(asker, () => hashing(() => hashThere({ password: sameEverywhere(password), cost: passwordCost })))
}

/** By the brokerage and the network of whoever asks: a storm of tries of one holds nobody up who comes to or from another. */
function inLine<Result>(asker: Actor | undefined, work: () => Promise<Result>): Promise<Result> {
  return line(work, asker && { whose: asker.workspaceId, network: networkOf(asker.address) })
}

let nobodysHash: Promise<string> | undefined
/** A hash nobody knows the password of: what an unknown email is compared with, so that it costs the same time. */
function hashOfNobody(): Promise<string> {
  nobodysHash ??= hashPassword(crypto.randomUUID()).catch((refused) => {
    // The line was full: kept, it would turn every unknown address away for as long as this process lives.
    nobodysHash = undefined
    throw refused
  })
  return nobodysHash
}

/** `storedHash`: null where there is nobody, which takes as long. */
export async function isPasswordOf(storedHash: string | null, password: string, asker?: Actor): Promise<boolean> {
  // Whoever there is: the first one of a process waits for it, and must not be told apart by that.
  const ofNobody = await hashOfNobody()
  const compared = storedHash ?? ofNobody
  const matches = await inLine(asker, async () => {
    const waitMs = asker ? await measureWait(asker) : 0
    return hashing(async () => {
      if (waitMs > 0) await pause(waitMs)
      evaluations.publish({})
      return compareThere({ password: sameEverywhere(password), stored: compared })
    })
  })
  return matches && storedHash !== null
}
