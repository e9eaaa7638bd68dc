import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import type { Intent } from './intent-moves.ts'

/** Whether another intent has this operation: a platform numbers its operations once, not per account. */
export async function isOperationOfAnother(
  tx: Tx,
  { workspaceId }: Actor,
  { intent_id, platform_id }: Pick<Intent, 'intent_id' | 'platform_id'>,
  operation: string,
): Promise<boolean> {
  const other = await tx
    .selectFrom('platform_intents')
    .select('intent_id')
    .where('workspace_id', '=', workspaceId)
    .where('platform_id', '=', platform_id)
    .where('intent_id', '<>', intent_id)
    .where(({ or, eb }) => or([eb('ticket', '=', operation), eb('decided_ticket', '=', operation)]))
    .executeTakeFirst()
  return other !== undefined
}
