import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'

/** The demo's people, members and staff, whose password is in its README. A test compares the list with the demo. */
const demoDomain = '@atrium.demo'
const names = ['member', 'second', 'new', 'verifying', 'asia', 'sales', 'staff', 'finance', 'support']
const addresses = names.map((name) => `${name}${demoDomain}`)

/** The desk does not run here, and the command line cannot lock members, so the desk must lock them beforehand. */
const wayOut = `Lock them at the desk before NODE_ENV is production, or take them out from the command line:
  npm run admin -- member erase   and, as soon as there is another administrator (staff add), npm run admin -- staff lock`

/**
 * A database that began as the demo accepts the demo's public passwords. Production does not start until these people
 * are locked or removed.
 */
export async function refuseDemoPeople(context: Context): Promise<void> {
  for (const system of await listWorkspaces(context)) {
    const found = await reading(system, (tx) => findActive(tx, system))
    if (found.length === 0) continue
    const names = found.map(({ email }) => email).join(', ')
    throw new Error(`This database holds the demo brokerage, whose passwords are public: ${names}. ${wayOut}`)
  }
}

async function findActive(tx: Tx, { workspaceId }: System): Promise<{ email: string }[]> {
  const people = (table: 'members' | 'staff_users') => tx.selectFrom(table).where('workspace_id', '=', workspaceId)
  const isDemo = sql<boolean>`lower(email) = any(${addresses}::text[])`
  const known = await people('members')
    .select('password_hash')
    .where(isDemo)
    .unionAll(people('staff_users').select('password_hash').where(isDemo))
    .execute()
  if (known.length === 0) return []
  // A person whose address was changed still has the demo's hash; otherwise no two people share one.
  const hashes = known.map(({ password_hash }) => password_hash)
  const accepts = sql<boolean>`(${isDemo} or password_hash = any(${hashes}::text[]))`
  const active = (table: 'members' | 'staff_users') =>
    people(table).select('email').where('status', '=', 'active').where(accepts)
  return active('members').unionAll(active('staff_users')).execute()
}
