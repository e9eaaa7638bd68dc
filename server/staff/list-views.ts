import type { ListView } from '@atrium/contract/list-views.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'

/** How this colleague looks at a list; of one that they never changed, with nothing saved and nothing hidden. */
export function readListView(staff: Staff, list: string): Promise<ListView> {
  authorizeStaff(staff, 'desk.use')
  return reading(staff, async (tx) => {
    const row = await tx
      .selectFrom('staff_list_views')
      .select(['saved', 'hidden'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('staff_id', '=', staff.staffId)
      .where('list', '=', list)
      .executeTakeFirst()
    return (row as ListView | undefined) ?? { saved: [], hidden: [] }
  })
}

/** What is their own and concerns nobody else is not in the audit log. */
export async function saveListView(staff: Staff, { list, ...view }: ListView & { list: string }): Promise<ListView> {
  authorizeStaff(staff, 'desk.use')
  const kept = { saved: JSON.stringify(view.saved), hidden: JSON.stringify(view.hidden) }
  await inTransaction(staff, (tx) =>
    tx
      .insertInto('staff_list_views')
      .values({ workspace_id: staff.workspaceId, staff_id: staff.staffId, list, ...kept })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'staff_id', 'list'])
          .doUpdateSet(kept)
          // The same once more is no change.
          .where(
            sql<boolean>`(staff_list_views.saved, staff_list_views.hidden) is distinct from (excluded.saved, excluded.hidden)`,
          ),
      )
      .execute(),
  )
  return view
}
