import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { Tx } from '../foundation/database/database.ts'
import { openReads } from '../foundation/database/scoped-reads.ts'
import { realTime } from '../foundation/timer.ts'
import { withoutLogContext } from '../observability/log-context.ts'

export type ByTokens = Pick<System, 'workspaceId'> & { hashes: readonly Buffer[] }
/** `place`: of the token among those asked for. */
type Found<Row> = Row & { place: number }

/** Between two statements of a workspace, so that their number does not grow with that of the calls. */
const everyMs = 20
/** Sessions in one statement. */
const proofsMax = 500

type Asked<Row> = { hash: Buffer; resolve(row: Row | undefined): void; reject(problem: unknown): void }
type ProofQueue<Row> = { waiting: Asked<Row>[] }

/**
 * Proves sessions whose calls read nothing else: those that arrive within a moment share one statement, which begins
 * after each of them has arrived. A call that comes alone does not wait, and a statement does not wait for the one
 * before, so a hanging one delays no other.
 */
export function shareProofs<Row>(read: (tx: Tx, by: ByTokens) => Promise<Found<Row>[]>) {
  const queuesOf = new WeakMap<Context, Map<string, ProofQueue<Row>>>()

  function send({ context, workspaceId }: System, asked: readonly Asked<Row>[]): void {
    const { tx } = openReads(context.database.pool, systemActor(context, workspaceId))
    read(tx, { workspaceId, hashes: asked.map(({ hash }) => hash) }).then(
      (rows) => {
        const found = new Map(rows.map((row) => [row.place, row]))
        for (const [at, { resolve }] of asked.entries()) resolve(found.get(at))
      },
      (problem) => {
        for (const { reject } of asked) reject(problem)
      },
    )
  }

  function sendAll(system: System, queues: Map<string, ProofQueue<Row>>, queue: ProofQueue<Row>): void {
    const asked = queue.waiting.splice(0)
    if (asked.length === 0) {
      queues.delete(system.workspaceId)
      return
    }
    for (let first = 0; first < asked.length; first += proofsMax) send(system, asked.slice(first, first + proofsMax))
    realTime.after(everyMs, () => sendAll(system, queues, queue))
  }

  return (system: System, hash: Buffer): Promise<Row | undefined> =>
    new Promise((resolve, reject) => {
      const queues = queuesOf.get(system.context) ?? new Map<string, ProofQueue<Row>>()
      queuesOf.set(system.context, queues)
      const asked = { hash, resolve, reject }
      const queue = queues.get(system.workspaceId)
      if (queue) {
        queue.waiting.push(asked)
        return
      }
      const begun = { waiting: [asked] }
      queues.set(system.workspaceId, begun)
      // The statement belongs to no single request. Calls that arrived together join it.
      withoutLogContext(() => setImmediate(sendAll, system, queues, begun))
    })
}
