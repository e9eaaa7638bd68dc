import { listWorkspaces } from '../workspaces/workspace.ts'
import type { System } from './actor.ts'
import { inTransaction, type Tx } from './database.ts'
import type { Ground } from './ground.ts'
import type { Queue } from './jobs.ts'
import { describeProblem } from './log.ts'

export const sweepBatch = 500

/** Deletes until a batch is not full any more, each in a transaction of its own: nobody waits long for a swept row. */
export async function deleteInBatches(
  system: System,
  deleteBatch: (tx: Tx) => Promise<{ numDeletedRows: bigint }>,
): Promise<number> {
  let deleted = 0
  for (;;) {
    const { numDeletedRows } = await inTransaction(system, deleteBatch)
    deleted += Number(numDeletedRows)
    if (numDeletedRows < BigInt(sweepBatch)) return deleted
  }
}

/** Does it in every workspace, now and again and again. Several processes may: what is done twice changes nothing more. */
export function startRepeating(
  ground: Ground,
  everyMs: number,
  work: (system: System) => Promise<unknown>,
): () => void {
  const run = async (): Promise<void> => {
    for (const system of await listWorkspaces(ground)) await work(system)
  }
  const go = (): void => {
    run().catch((problem) => ground.log.error({ err: describeProblem(problem) }, 'sweep failed'))
  }
  go()
  const timer = setInterval(go, everyMs)
  return () => clearInterval(timer)
}

/** Asks for a sweep as a job, so that of many processes one does it and it is tried again when it fails. */
export function askForSweep({ ground, ...system }: System, queue: Queue): Promise<void> {
  const { workspaceId } = system
  return inTransaction({ ground, ...system }, (tx) => ground.jobs.enqueue(tx, queue, { workspaceId, id: workspaceId }))
}
