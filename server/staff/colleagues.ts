import { type DeskRight, holdsRight, staffRoles } from '@atrium/contract/staff/rights.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

const colleaguesMax = 200

/** Active staff with this permission, to whom such work can be assigned. */
export function selectColleagues(tx: Tx, staff: Staff, right: DeskRight) {
  return tx
    .selectFrom('staff_users')
    .select(['staff_id', 'name'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('status', '=', 'active')
    .where(
      'role',
      'in',
      staffRoles.filter((role) => holdsRight(role, right)),
    )
}

export function listColleagues(tx: Tx, staff: Staff, right: DeskRight) {
  return selectColleagues(tx, staff, right).orderBy('name').limit(colleaguesMax).execute()
}
