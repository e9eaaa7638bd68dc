import { sql } from 'kysely'
import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { processInQueue, startSweepingOverdue, sweepOverdue } from '../trading-platforms/platform-queue.ts'
import { compareInQueue } from './comparison.ts'
import { underWay } from './opening.ts'
import { changePersonInQueue } from './person-change.ts'
import { checkSettledInQueue } from './post-settlement-check.ts'
import { settleOpening } from './settle.ts'

export function openingJobs(context: Context): JobHandlers {
  return {
    'openings.settle': ({ workspaceId, id }) => enqueueOpening(systemActor(context, workspaceId), id),
    'openings.compare': ({ workspaceId, id }) => compareInQueue(systemActor(context, workspaceId), id),
    'openings.change-person': ({ workspaceId, id }) => changePersonInQueue(systemActor(context, workspaceId), id),
    'openings.recount': ({ workspaceId, id }) => checkSettledInQueue(systemActor(context, workspaceId), id),
  }
}

type Place = { opening_id: string; platform_id: string }

/** Enqueues in the platform's queue without waiting; if the process ends first, the sweep finds the opening. */
async function enqueueOpening(system: System, openingId: string): Promise<void> {
  const place = await reading(system, (tx) =>
    tx
      .selectFrom('account_openings')
      .select(['opening_id', 'platform_id'])
      .where('workspace_id', '=', system.workspaceId)
      .where('opening_id', '=', openingId)
      .executeTakeFirst(),
  )
  if (place)
    void processInQueue(system, { kind: 'opening', id: openingId, platformId: place.platform_id }, settleOpening)
}

const overdueMs = 500

/** A safety net: an opening left by a killed process is processed even if its job was lost. */
export function startSweepingOpenings(context: Context): () => void {
  return startSweepingOverdue(context, processOverdue)
}

/** Batch size per platform, so that openings of a hanging platform do not hide those of others. */
const overdueMax = 100

export function sweepOpenings(context: Context): Promise<void> {
  return sweepOverdue(context, processOverdue)
}

async function processOverdue(system: System): Promise<Promise<void>[]> {
  const rows = await reading(system, (tx) => overdueOpenings(tx, system))
  return rows.map(({ opening_id: id, platform_id: platformId }) =>
    processInQueue(system, { kind: 'opening', id, platformId }, settleOpening),
  )
}

function overdueOpenings(tx: Tx, system: System): Promise<Place[]> {
  const overdue = new Date(system.context.clock.now().getTime() - overdueMs)
  const numbered = tx
    .selectFrom('account_openings')
    .select(['opening_id', 'platform_id', 'next_step_at'])
    .select(sql<number>`row_number() over (partition by platform_id order by next_step_at, opening_id)`.as('place'))
    .where('workspace_id', '=', system.workspaceId)
    .where('state', 'in', underWay)
    .where('next_step_at', '<', overdue)
  return tx
    .selectFrom(numbered.as('overdue'))
    .select(['opening_id', 'platform_id'])
    .where('place', '<=', overdueMax)
    .orderBy('next_step_at')
    .execute()
}
