import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'

/** The demo's people, whose password is in its README. */
const demoDomain = '@atrium.demo'
const addresses = ['member', 'second', 'new', 'verifying', 'asia', 'sales', 'staff'].map(
  (name) => `${name}${demoDomain}`,
)

/** The desk does not run here, and the command line cannot lock members, so the desk must lock them beforehand. */
const wayOut = `Lock them at the desk before NODE_ENV is production, or take them out from the command line:
  npm run admin -- member erase   and, as soon as there is another administrator (staff add), npm run admin -- staff lock`

/**
 * A database that began as the demo accepts the demo's public passwords. Production does not start until these people
 * are locked or removed.
 */
export async function refuseDemoPeople(context: Context): Promise<void> {
  for (const system of await listWorkspaces(context)) {
    const found = await reading(system, (tx) => {
      const members = tx
        .selectFrom('members')
        .select('email')
        .where('workspace_id', '=', system.workspaceId)
        .where(sql`lower(email)`, 'in', addresses)
        .where('status', '=', 'active')
      const staff = tx
        .selectFrom('staff_users')
        .select('email')
        .where('workspace_id', '=', system.workspaceId)
        .where(sql`lower(email)`, 'in', addresses)
        .where('status', '=', 'active')
      return members.unionAll(staff).execute()
    })
    if (found.length === 0) continue
    const names = found.map(({ email }) => email).join(', ')
    throw new Error(`This database holds the demo brokerage, whose passwords are public: ${names}. ${wayOut}`)
  }
}
