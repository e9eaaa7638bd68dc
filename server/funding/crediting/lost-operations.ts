import type { System } from '../../foundation/actor.ts'
import { reading } from '../../foundation/database/database.ts'
import type { TradingGateway } from '../../trading-platforms/contract.ts'
import { isIntentTag } from '../../trading-platforms/intent-tag.ts'
import type { Intent } from './intent-moves.ts'
import { isFromBeforeRestore } from './restore-moment.ts'
import { listUnknown, tagOf } from './unmatched-candidates.ts'

/** When the intent's transaction was requested: no matching operation can be older. */
export async function askedAt(system: System, intent: Intent): Promise<Date> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .select(['asked_at', 'created_at'])
      .where('workspace_id', '=', system.workspaceId)
      .where('transaction_id', '=', intent.transaction_id)
      .executeTakeFirst(),
  )
  return row?.asked_at ?? row?.created_at ?? intent.created_at
}

/** Whether a backup was restored since: the program may have sent it, and the backup does not know. */
export async function isAskedBeforeRestore(system: System, intent: Intent): Promise<boolean> {
  const created_at = await askedAt(system, intent)
  return reading(system, (tx) => isFromBeforeRestore(tx, system, { created_at }))
}

/**
 * Finds operations that a restored backup has lost: of this amount, with a tag of our format that no row has. Only
 * intents older than this process can be affected, since a restore requires a restart.
 */
export async function findLostOperations(system: System, intent: Intent, gateway: TradingGateway): Promise<string[]> {
  const since = Math.floor((await askedAt(system, intent)).getTime() / 1000)
  const unknown = await listUnknown(system, intent, gateway, since)
  return unknown.filter((deal) => isIntentTag(tagOf(deal))).map(({ id }) => id)
}
