import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'

/** Locks a platform for this unit of work; a concurrent save with an outdated version is refused. */
export async function lockPlatform(tx: Tx, actor: Staff, platformId: string) {
  const row = await tx
    .selectFrom('trading_platforms')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('platform_id', '=', platformId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) refuseNotFound()
  return {
    row,
    refuseUnless(version: number): void {
      if (row.version !== version) refuse('conflict', deskTexts.settingsChanged)
    },
    async bump(within: Tx): Promise<void> {
      await within
        .updateTable('trading_platforms')
        .set({ version: row.version + 1 })
        .where('workspace_id', '=', actor.workspaceId)
        .where('platform_id', '=', platformId)
        .execute()
    },
  }
}
