import { systemActor } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { describeProblem } from '../foundation/log.ts'
import { listWorkspaces } from '../workspaces/workspace.ts'
import { underWay } from './opening.ts'
import { recountOpening } from './recount.ts'
import { settleOpening } from './settle.ts'

export function openingJobs(ground: Ground): JobHandlers {
  return {
    'openings.settle': ({ workspaceId, id }) => settleOpening(systemActor(ground, workspaceId), id),
    'openings.recount': ({ workspaceId, id }) => recountOpening(systemActor(ground, workspaceId), id),
  }
}

const sweepEveryMs = 10_000
const overdueMs = 500

/** A net below the queue: what a killed process left behind is visited even if its job was lost with it. */
export function startSweepingOpenings(ground: Ground): () => void {
  const sweep = (): void => {
    sweepOpenings(ground).catch((problem) => ground.log.error({ err: describeProblem(problem) }, 'sweep failed'))
  }
  sweep()
  const timer = setInterval(sweep, sweepEveryMs)
  return () => clearInterval(timer)
}

export async function sweepOpenings(ground: Ground): Promise<void> {
  for (const system of await listWorkspaces(ground)) {
    const overdue = new Date(ground.clock.now().getTime() - overdueMs)
    const rows = await reading(system, (tx) =>
      tx
        .selectFrom('account_openings')
        .select('opening_id')
        .where('workspace_id', '=', system.workspaceId)
        .where('state', 'in', underWay)
        .where('next_step_at', '<', overdue)
        .orderBy('next_step_at')
        .limit(100)
        .execute(),
    )
    for (const { opening_id } of rows) {
      // One that cannot be visited must not keep those behind it from their visit.
      await settleOpening(system, opening_id).catch((problem) =>
        ground.log.error({ err: describeProblem(problem), opening: opening_id }, 'visit failed'),
      )
    }
  }
}
