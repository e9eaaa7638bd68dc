import type { System } from '../../foundation/actor.ts'
import { reading } from '../../foundation/database/database.ts'
import type { TradingGateway } from '../../trading-platforms/contract.ts'
import { isIntentTag } from '../../trading-platforms/intent-tag.ts'
import type { Intent } from './intent-moves.ts'
import { listUnknown, tagOf } from './look-alikes.ts'

/** When somebody asked for what an intent is to do: before that it cannot have been done. */
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

/**
 * A database that was put back by some minutes has forgotten what the program did in them, and the platform has not: an
 * operation of this amount whose tag is one of ours and is written down nowhere. Only what is older than the program can be
 * concerned, since it is started anew on a restored database.
 */
export async function findForgotten(system: System, intent: Intent, gateway: TradingGateway): Promise<string[]> {
  const since = Math.floor((await askedAt(system, intent)).getTime() / 1000)
  const unknown = await listUnknown(system, intent, gateway, since)
  return unknown.filter((deal) => isIntentTag(tagOf(deal))).map(({ id }) => id)
}
