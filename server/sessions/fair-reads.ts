import type { System } from '../foundation/actor.ts'
import { makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { networkOf } from '../foundation/rate-limit.ts'

/** Queues reads before a session by brokerage and network, so that a flood of them never takes every connection. */
const limiter = makeConcurrencyLimiter(2, { waitingMax: 512 })

export function readFairly<Result>(system: System, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  const place = { whose: system.workspaceId, network: networkOf(system.address) }
  return limiter(() => reading(system, read), place)
}
