import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'

/**
 * Whether a backup was restored since this row was created (`backup/restore.ts` records the time). Its changes between
 * backup and restore are lost, and unlike platforms, providers offer no history with our tags: it may have been paid or
 * reversed, so only staff may move its money.
 */
export async function isFromBeforeRestore(
  tx: Tx,
  actor: Actor,
  { created_at }: { created_at: Date },
): Promise<boolean> {
  const { restored_at } = await tx
    .selectFrom('workspaces')
    .select('restored_at')
    .where('workspace_id', '=', actor.workspaceId)
    .executeTakeFirstOrThrow()
  return restored_at !== null && created_at <= restored_at
}
