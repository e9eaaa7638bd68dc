import { sql } from 'kysely'
import { type System, systemActor } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { describeProblem } from '../foundation/log.ts'
import { listWorkspaces } from '../workspaces/workspace.ts'
import { findPlace, settleIntent } from './crediting.ts'
import { recountIntent } from './recount.ts'

export function fundingJobs(ground: Ground): JobHandlers {
  return {
    'funding.settle-intent': ({ workspaceId, id }) => handOver(systemActor(ground, workspaceId), id),
    'funding.recount-intent': ({ workspaceId, id }) => recountIntent(systemActor(ground, workspaceId), id),
  }
}

/**
 * The worker is let go at once and the visit stands in its platform's lane: workers that waited for a platform that hangs
 * would be missing to all others. Should the process end before the visit, the sweep finds the intent.
 */
async function handOver(system: System, intentId: string): Promise<void> {
  const place = await findPlace(system, intentId)
  if (place) void visitInLane(system, { intent_id: intentId, ...place })
}

type Place = { intent_id: string; platform_id: string }

function visitInLane(system: System, { intent_id: intentId, platform_id: platformId }: Place): Promise<void> {
  return system.ground.platforms.visit(system, platformId, intentId, () => settleApart(system, intentId))
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

/** So many at a time of each platform: what waits for one that hangs must not hide what others are due. */
const overdueMax = 100

export async function sweepIntents(ground: Ground): Promise<void> {
  const visits: Promise<void>[] = []
  for (const system of await listWorkspaces(ground)) {
    const rows = await reading(system, (tx) => overdueIntents(tx, system))
    visits.push(...rows.map((row) => visitInLane(system, row)))
  }
  await Promise.all(visits)
}

function overdueIntents(tx: Tx, system: System): Promise<Place[]> {
  const overdue = new Date(system.ground.clock.now().getTime() - overdueMs)
  const numbered = tx
    .selectFrom('platform_intents')
    .select(['intent_id', 'platform_id', 'next_step_at'])
    .select(sql<number>`row_number() over (partition by platform_id order by next_step_at, intent_id)`.as('place'))
    .where('workspace_id', '=', system.workspaceId)
    .where('state', 'in', ['ready', 'sending', 'unknown'])
    .where('next_step_at', '<', overdue)
  return tx
    .selectFrom(numbered.as('overdue'))
    .select(['intent_id', 'platform_id'])
    .where('place', '<=', overdueMax)
    .orderBy('next_step_at')
    .execute()
}

/** One that cannot be visited must not keep those behind it, perhaps another brokerage's, from their visit. */
async function settleApart(system: System, intentId: string): Promise<void> {
  try {
    await settleIntent(system, intentId)
  } catch (problem) {
    system.ground.log.error({ err: describeProblem(problem), intent: intentId }, 'visit failed')
  }
}
