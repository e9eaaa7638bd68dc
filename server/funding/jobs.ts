import { sql } from 'kysely'
import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { findPlace } from '../trading-platforms/platform-link.ts'
import { processInQueue, startSweepingOverdue, sweepOverdue } from '../trading-platforms/platform-queue.ts'
import { settleIntent } from './crediting/crediting.ts'
import { checkSettledInQueue } from './crediting/post-settlement-check.ts'
import { checkLedger } from './ledger.ts'

export function fundingJobs(context: Context): JobHandlers {
  return {
    'funding.settle-intent': ({ workspaceId, id }) => enqueueIntent(systemActor(context, workspaceId), id),
    'funding.recount-intent': ({ workspaceId, id }) => checkSettledInQueue(systemActor(context, workspaceId), id),
    'funding.check-ledger': async ({ workspaceId }) => {
      await checkLedger(systemActor(context, workspaceId))
    },
  }
}

/**
 * Queues the intent in its platform's queue and frees the worker immediately: workers waiting for a hanging platform
 * would be missing for all others. If the process ends first, the sweep finds the intent.
 */
async function enqueueIntent(system: System, intentId: string): Promise<void> {
  const place = await findPlace(system, intentId)
  if (place) void processInQueue(system, { kind: 'intent', id: intentId, platformId: place.platform_id }, settleIntent)
}

type Place = { intent_id: string; platform_id: string }

const overdueMs = 500

/**
 * A sweep behind the queue: processes overdue intents whose job was lost with its process. Processing an intent that
 * another process has claimed does nothing.
 */
export function startSweepingIntents(context: Context): () => void {
  return startSweepingOverdue(context, processOverdue)
}

/** Intents per platform and sweep: the backlog of a hanging platform must not hide the due intents of others. */
const overdueMax = 100

export function sweepIntents(context: Context): Promise<void> {
  return sweepOverdue(context, processOverdue)
}

async function processOverdue(system: System): Promise<Promise<void>[]> {
  const rows = await reading(system, (tx) => overdueIntents(tx, system))
  return rows.map(({ intent_id: id, platform_id: platformId }) =>
    processInQueue(system, { kind: 'intent', id, platformId }, settleIntent),
  )
}

function overdueIntents(tx: Tx, system: System): Promise<Place[]> {
  const overdue = new Date(system.context.clock.now().getTime() - overdueMs)
  const numbered = tx
    .selectFrom('platform_intents')
    .select(['intent_id', 'platform_id', 'next_step_at'])
    .select(sql<number>`row_number() over (partition by platform_id order by next_step_at, intent_id)`.as('place'))
    .where('workspace_id', '=', system.workspaceId)
    .where(({ or, and, eb }) =>
      or([
        eb('state', 'in', ['ready', 'sending', 'unknown']),
        and([eb('state', '=', 'stuck'), eb('decided_outcome', 'is not', null)]),
      ]),
    )
    .where('next_step_at', '<', overdue)
  return tx
    .selectFrom(numbered.as('overdue'))
    .select(['intent_id', 'platform_id'])
    .where('place', '<=', overdueMax)
    .orderBy('next_step_at')
    .execute()
}
