import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'

/** The desk is shut while nothing starts, so it is opened outside production once more. */
const wayOut = `Switch each off at the desk (Platforms, Payment providers, Settings), or give it its real address, before NODE_ENV
is production: started without it, with ATRIUM_ROLES=web, the desk is open.`

/**
 * A database that began as the demo names simulators, whose word about money is play. None of them is spoken to in production
 * (each connection is judged anew), but a brokerage whose deposits then go nowhere is better told at the start. The desk takes
 * no such address in production, so no brokerage keeps the others from starting.
 */
export async function refuseSimulators(context: Context): Promise<void> {
  const all: string[] = []
  for (const system of await listWorkspaces(context)) {
    const found = await reading(system, (tx) => simulatorsOf(system.workspaceId).execute(tx))
    all.push(...found.rows.map(({ name, subdomain }) => `${name} of ${subdomain}`))
  }
  if (all.length === 0) return
  throw new Error(`These are simulators, and production speaks to none: ${all.join(', ')}. ${wayOut}`)
}

/** Simulators alone speak plain HTTP: a platform says so in a setting of its own, the others by their addresses. */
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
