import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** Filter options of desk lists, for staff without access to the platforms' settings. */
export async function listPlatformNames(tx: Tx, staff: Staff): Promise<{ _id: string; name: string }[]> {
  return tx
    .selectFrom('trading_platforms')
    .select(['platform_id as _id', 'name'])
    .where('workspace_id', '=', staff.workspaceId)
    .orderBy('name')
    .orderBy('platform_id')
    .execute()
}
