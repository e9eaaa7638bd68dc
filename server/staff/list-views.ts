import type { Call } from '@atrium/contract/call.ts'
import type { ListDeclaration } from '@atrium/contract/list.ts'
import type { ListView, ListViewChange } from '@atrium/contract/staff/list-views.ts'
import * as contract from '@atrium/contract/staff/list-views.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'

const none: ListView = { saved: [], hidden: [] }

/** The calls of list views: their input names any list that one of the server's calls reads a page of. */
export function listViewCalls(calls: readonly Call[]) {
  const find = (name: string) => calls.find(({ pageOf }) => pageOf?.name === name)?.pageOf
  const list = contract.readListView.input.shape.list.transform((name, { issues }): ListDeclaration => {
    const found = find(name)
    if (!found) issues.push({ code: 'custom', input: name })
    return found ?? z.NEVER
  })
  return {
    read: { ...contract.readListView, input: contract.readListView.input.extend({ list }) },
    save: { ...contract.saveListView, input: contract.saveListView.input.extend({ list }) },
  }
}

/** The desk user's view of a list; empty by default. */
export function readListView(staff: Staff, { name }: ListDeclaration): Promise<ListView> {
  authorizeStaff(staff, 'desk.use')
  return reading(staff, (tx) => selectView(tx, staff, name))
}

async function selectView(tx: Tx, staff: Staff, list: string): Promise<ListView> {
  const row = await tx
    .selectFrom('staff_list_views')
    .select(['saved', 'hidden'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', '=', staff.staffId)
    .where('list', '=', list)
    .executeTakeFirst()
  return (row as ListView | undefined) ?? none
}

/** Saves the given fields and keeps the others. Personal settings are not audited. */
export async function saveListView(
  staff: Staff,
  { list, saved, hidden }: ListViewChange & { list: ListDeclaration },
): Promise<ListView> {
  authorizeStaff(staff, 'desk.use')
  const changed = {
    ...(saved && {
      saved: JSON.stringify(saved.map(({ name, search }) => ({ name, search: withoutSearch(list, search) }))),
    }),
    ...(hidden && { hidden: JSON.stringify(hidden) }),
  }
  return await inTransaction(staff, async (tx) => {
    const row = { saved: '[]', hidden: '[]', ...changed }
    const insert = tx
      .insertInto('staff_list_views')
      .values({ workspace_id: staff.workspaceId, staff_id: staff.staffId, list: list.name, ...row })
    await insert
      .onConflict((conflict) => {
        const target = conflict.columns(['workspace_id', 'staff_id', 'list'])
        if (!saved && !hidden) return target.doNothing()
        return target.doUpdateSet(changed).where(
          // Saving the same view is a no-op.
          sql<boolean>`(${sql.join(
            [
              ...(saved ? [sql`staff_list_views.saved is distinct from excluded.saved`] : []),
              ...(hidden ? [sql`staff_list_views.hidden is distinct from excluded.hidden`] : []),
            ],
            sql` or `,
          )})`,
        )
      })
      .execute()
    return await selectView(tx, staff, list.name)
  })
}

/** Drops search text, which may be a member's name and would survive an erasure here. */
function withoutSearch({ filters }: ListDeclaration, search: Record<string, string>): Record<string, string> {
  const isKept = (name: string) => Object.hasOwn(filters, name) && filters[name]?.kind !== 'search'
  return Object.fromEntries(Object.entries(search).filter(([name]) => isKept(name)))
}
