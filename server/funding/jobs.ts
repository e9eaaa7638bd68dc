import { type System, systemActor } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { describeProblem } from '../foundation/log.ts'
import { listWorkspaces } from '../workspaces/workspace.ts'
import { settleIntent } from './crediting.ts'
import { recountIntent } from './recount.ts'

export function fundingJobs(ground: Ground): JobHandlers {
  return {
    'funding.settle-intent': ({ workspaceId, id }) => settleIntent(systemActor(ground, workspaceId), id),
    'funding.recount-intent': ({ workspaceId, id }) => recountIntent(systemActor(ground, workspaceId), id),
  }
}

const sweepEveryMs = 10_000
const overdueMs = 500

/**
 * A net below the queue: intents whose moment has passed are visited even if their job was lost with a process. Visiting
 * one that somebody else already has does nothing.
 */
export function startSweepingIntents(ground: Ground): () => void {
  const sweep = (): void => {
    sweepIntents(ground).catch((problem) => ground.log.error({ err: describeProblem(problem) }, 'sweep failed'))
  }
  sweep() // What a killed process left behind is picked up at once.
  const timer = setInterval(sweep, sweepEveryMs)
  return () => clearInterval(timer)
}

export async function sweepIntents(ground: Ground): Promise<void> {
  for (const system of await listWorkspaces(ground)) {
    const overdue = new Date(ground.clock.now().getTime() - overdueMs)
    const rows = await reading(system, (tx) =>
      tx
        .selectFrom('platform_intents')
        .select('intent_id')
        .where('workspace_id', '=', system.workspaceId)
        .where('state', 'in', ['ready', 'sending', 'unknown'])
        .where('next_step_at', '<', overdue)
        .orderBy('next_step_at')
        .limit(100)
        .execute(),
    )
    for (const row of rows) await settleApart(system, row.intent_id)
  }
}

/** One that cannot be visited must not keep those behind it, perhaps another brokerage's, from their visit. */
async function settleApart(system: System, intentId: string): Promise<void> {
  try {
    await settleIntent(system, intentId)
  } catch (problem) {
    system.ground.log.error({ err: describeProblem(problem), intent: intentId }, 'visit failed')
  }
}
