import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { startRepeating } from '../queue/sweeping.ts'
import { askForReading } from './history.ts'
import { readTrades } from './reading.ts'

export function tradeJobs(context: Context): JobHandlers {
  return {
    'trades.read-history': ({ workspaceId, id }) => readTrades(systemActor(context, workspaceId), id),
  }
}

const refreshEveryMs = 15 * 60_000
/** Accounts not viewed for this long are read only when viewed. */
const askedWithinMs = 30 * 86_400_000
const refreshedAtOnce = 200

/** Refreshes viewed histories regularly, so that the next view finds little to read. */
export function startRefreshingTrades(context: Context): () => void {
  return startRepeating(context, refreshEveryMs, refreshTrades)
}

export async function refreshTrades(system: System): Promise<void> {
  const now = system.context.clock.now().getTime()
  const stale = await reading(system, (tx) =>
    tx
      .selectFrom('trade_histories')
      .select(['account_id', 'member_id', 'platform_id'])
      .where('workspace_id', '=', system.workspaceId)
      .where('asked_at', '>', new Date(now - askedWithinMs))
      .where((where) => where.or([where('read_at', 'is', null), where('read_at', '<', new Date(now - refreshEveryMs))]))
      .orderBy('read_at')
      .limit(refreshedAtOnce)
      .execute(),
  )
  for (const of of stale) await askForReading(system, of)
}
