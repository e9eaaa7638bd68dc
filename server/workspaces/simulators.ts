import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'

/** Nothing starts, the desk included, so it must be opened outside production. */
const wayOut = `Switch each off at the desk (Platforms, Payment providers, Settings), or give it its real address, before NODE_ENV
is production: started without it, with ATRIUM_ROLES=web, the desk is open.`

/**
 * A database that began as the demo uses simulators: production stops at the start, although each connection is
 * checked, because it is better than losing a brokerage's deposits silently. The desk refuses such addresses in
 * production, so no brokerage can stop the others from starting.
 */
export async function refuseSimulators(context: Context): Promise<void> {
  const all: string[] = []
  for (const system of await listWorkspaces(context)) {
    const found = await reading(system, (tx) => simulatorsOf(system.workspaceId).execute(tx))
    all.push(...found.rows.map(({ name, subdomain }) => `${name} of ${subdomain}`))
  }
  if (all.length === 0) return
  throw new Error(`These are simulators, and production connects to none: ${all.join(', ')}. ${wayOut}`)
}

/** Only simulators use plain HTTP: a platform says so in a setting, the others by their URL. */
const simulatorsOf = (workspaceId: string) => sql<{ name: string; subdomain: string }>`
  select connected.name, workspaces.subdomain
  from (
    select workspace_id, name, settings
    from trading_platforms join platform_connections using (workspace_id, platform_id)
    where enabled
    union all
    select workspace_id, app_uid, settings
    from payment_providers join payment_provider_connections using (workspace_id, provider_id)
    where enabled
    union all
    select workspace_id, app_uid, settings
    from identity_vendors
    where enabled
  ) as connected join workspaces using (workspace_id)
  where workspace_id = ${workspaceId}
    and (connected.settings ->> 'allowPlainHttp' = 'true' or jsonb_path_exists(connected.settings, '$.* ? (@ starts with "http://")'))
  order by connected.name
`
