import { sql } from 'kysely'
import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { startRepeating } from '../queue/sweeping.ts'
import { askForReading, type Traded } from './history.ts'
import { readTrades } from './reading.ts'

export function tradeJobs(context: Context): JobHandlers {
  return {
    'trades.read-history': ({ workspaceId, id }) => readTrades(systemActor(context, workspaceId), id),
  }
}

const refreshEveryMs = 15 * 60_000
/** Accounts not viewed for this long are read only when viewed. */
const askedWithinMs = 30 * 86_400_000
/** Histories per platform, so that those of a platform that does not answer do not hide those of others. */
const refreshedAtOnce = 200

/** Refreshes viewed histories regularly, so that the next view finds little to read. */
export function startRefreshingTrades(context: Context): () => void {
  return startRepeating(context, refreshEveryMs, refreshTrades)
}

export async function refreshTrades(system: System): Promise<void> {
  for (const of of await reading(system, (tx) => listStale(tx, system))) await askForReading(system, of)
}

/** Failing histories last: their time of reading stays old, and they would be first for ever. */
async function listStale(tx: Tx, { workspaceId, context }: System): Promise<Traded[]> {
  const now = context.clock.now().getTime()
  const { rows } = await sql<Traded>`
    select account_id, member_id, platform_id from (
      select history.account_id, history.member_id, history.platform_id, history.read_at, row_number() over (
        partition by history.platform_id
        order by history.failing_since is not null, history.read_at nulls first, history.account_id) as place
      from trade_histories history
      join trading_accounts account using (workspace_id, account_id)
      join trading_platforms platform on platform.workspace_id = history.workspace_id
        and platform.platform_id = history.platform_id and platform.enabled
      where history.workspace_id = ${workspaceId}::uuid and history.asked_at > ${new Date(now - askedWithinMs)}
        and (history.read_at is null or history.read_at < ${new Date(now - refreshEveryMs)})
        and not account.archived and not account.deleted) as stale
    where place <= ${refreshedAtOnce}
    order by read_at nulls first`.execute(tx)
  return rows
}
