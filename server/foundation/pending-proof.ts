import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { Actor, Member, Staff } from './actor.ts'
import type { DB } from './database/database.generated.ts'
import { openReads } from './database/scoped-reads.ts'

/** A transaction of database.ts, which depends on this file. */
type Tx = Kysely<DB>

/** The remembered person has changed or is gone: everything read for them is discarded. */
class StaleProof extends Error {
  override readonly name = 'StaleProof'
}

type Proven = { lastSeenAt: Date } | null

/** A person as last proven by their token, and the proof to repeat; it finds null unless it gives the same result. */
export type Recalled<Person extends Member | Staff = Member | Staff> = {
  actor: Person
  proveAgain(tx: Tx): Promise<Proven>
  /** The same for work that reads nothing else, together with the proofs of others. */
  proveAlone?(): Promise<Proven>
}

type Pending = { actor: Member | Staff; tx: Tx; proof: Promise<{ lastSeenAt: Date }> }

/**
 * Belongs to the asynchronous work and not to the actor, so that no copy of the actor and no system actor made for the request gets
 * around the proof.
 */
const storage = new AsyncLocalStorage<Pending>()

/**
 * Works for a remembered person while their proof is repeated in the first batch of reads; `onProof` runs as soon as it
 * succeeds. Only then gives the result or throws the error of the work; null if the proof failed.
 */
export async function whileProving<Result>(
  { actor, proveAgain, proveAlone }: Recalled,
  work: () => Promise<Result>,
  onProof: () => void = () => undefined,
): Promise<(() => Result) | null> {
  const { tx, ahead, isWaiting } = openReads(actor.context.database.pool, actor)
  const prove = async () => {
    // Once the work has asked for its first reads, and before they are sent.
    await new Promise(setImmediate)
    return proveAlone && !isWaiting() ? proveAlone() : proveAgain(ahead)
  }
  const proof = prove().then((seen) => {
    if (!seen) throw new StaleProof()
    onProof()
    return seen
  })
  // Prevents an unhandled rejection before anybody awaits it.
  proof.catch(() => undefined)
  const outcome = await storage.run({ actor, tx, proof }, () => settle(work))
  return (await isStale(proof)) ? null : outcome
}

async function isStale(proof: Promise<unknown>): Promise<boolean> {
  try {
    await proof
    return false
  } catch (problem) {
    if (problem instanceof StaleProof) return true
    throw problem
  }
}

/** Null where the work waited for a proof that failed, its own or that of a request whose result it shares. */
async function settle<Result>(work: () => Promise<Result>): Promise<(() => Result) | null> {
  try {
    const result = await work()
    return () => result
  } catch (problem) {
    if (problem instanceof StaleProof) return null
    return () => {
      throw problem
    }
  }
}

/** The reads that the repeated proof of this request goes with, for an actor of the same scope. */
export function readsOfProof(actor: Actor): Tx | null {
  const pending = storage.getStore()
  return pending && hasScopeOf(pending.actor, actor) ? pending.tx : null
}

function hasScopeOf(one: Member | Staff, other: Actor): boolean {
  if (one.workspaceId !== other.workspaceId || one.kind !== other.kind) return false
  return one.kind === 'member' ? one.memberId === (other as Member).memberId : one.staffId === (other as Staff).staffId
}

/** Whatever changes something or reaches another system waits here for the proof of its request. */
export function onceProven<Result>(work: () => Promise<Result>): Promise<Result> {
  const pending = storage.getStore()
  return pending ? pending.proof.then(work) : work()
}

/** The last use of the session, as of the proof of this request. */
export async function lastSeenOf({ sessionId, lastSeenAt }: Member | Staff): Promise<Date | undefined> {
  const pending = storage.getStore()
  return pending?.actor.sessionId === sessionId ? (await pending.proof).lastSeenAt : lastSeenAt
}
