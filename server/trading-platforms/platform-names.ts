import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** What lists at the desk can be narrowed to, for staff who do not keep the platforms themselves. */
export async function listPlatformNames(tx: Tx, staff: Staff): Promise<{ _id: string; name: string }[]> {
  return tx
    .selectFrom('trading_platforms')
    .select(['platform_id as _id', 'name'])
    .where('workspace_id', '=', staff.workspaceId)
    .orderBy('name')
    .orderBy('platform_id')
    .execute()
}
