import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { DB } from '../foundation/database/database.generated.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'
import { startRounds } from '../foundation/repeating.ts'
import { describeProblem } from '../observability/log.ts'
import { withLogContext } from '../observability/log-context.ts'
import type { Queue } from './jobs.ts'

export const sweepBatch = 500

/** Rows of a workspace's table whose `moment` is at or before `until`, identified by `key`. */
type Due = { table: keyof DB; key: string; moment: string; until: Date }

export const sweepDue = (system: System, due: Due): Promise<number> =>
  inBatches(system, (tx) => deleteBatch(tx, system, due))

/**
 * Repeats work on `sweepBatch` rows until a batch is incomplete, each in its own transaction, so that locks are short.
 * Returns the number of rows.
 */
export async function inBatches(system: System, work: (tx: Tx) => Promise<number>): Promise<number> {
  let swept = 0
  for (;;) {
    const batch = await inTransaction(system, work)
    swept += batch
    if (batch < sweepBatch) return swept
  }
}

/** Locks its batch first and skips rows locked by others, which are in use. */
async function deleteBatch(tx: Tx, { workspaceId }: System, due: Due): Promise<number> {
  const [table, key] = [sql.table(due.table), sql.ref(due.key)]
  const isDue = sql`workspace_id = ${workspaceId}::uuid and ${sql.ref(due.moment)} <= ${due.until}`
  const deleted = await sql`
    delete from ${table} where ${isDue} and ${key} in (
      select ${key} from ${table} where ${isDue} limit ${sweepBatch} for update skip locked)`.execute(tx)
  return Number(deleted.numAffectedRows ?? 0n)
}

/**
 * Runs `work` in every workspace now and periodically, without overlap; a failure in one does not stop the others. Safe
 * in several processes, because the work is idempotent.
 */
export function startRepeating(
  context: Context,
  everyMs: number,
  work: (system: System) => Promise<unknown>,
): () => void {
  return startRounds(everyMs, () =>
    inEveryWorkspace(context, work).catch((problem) =>
      context.log.error({ err: describeProblem(problem) }, 'sweep failed'),
    ),
  )
}

async function inEveryWorkspace(context: Context, work: (system: System) => Promise<unknown>): Promise<void> {
  for (const system of await listWorkspaces(context))
    await withLogContext({ workspace: system.workspaceId }, async () => {
      try {
        await work(system)
      } catch (problem) {
        context.log.error({ err: describeProblem(problem) }, 'sweep failed')
      }
    })
}

/**
 * Enqueues a sweep as a job, so that one process runs it and a failure is retried. A sweep still running is not
 * enqueued again.
 */
export function askForSweep({ context, ...system }: System, queue: Queue): Promise<void> {
  const { workspaceId } = system
  return inTransaction({ context, ...system }, (tx) =>
    context.jobs.enqueueRound(tx, queue, { workspaceId, id: workspaceId }),
  )
}

/** Enqueues the sweep in every workspace; a failure in one does not stop the others. */
export async function beginRound(context: Context, queue: Queue): Promise<void> {
  await inEveryWorkspace(context, (system) => askForSweep(system, queue))
}
