import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'

/**
 * Whether a backup was put back since this was made (`backup/restore.ts` writes the moment down). What happened to it
 * between the backup and the restore is forgotten here, and providers, unlike platforms, show no tag of ours in a history
 * that could be read: it may have been paid, or been given back, and money moves for it by somebody's decision only.
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
