import { sql } from 'kysely'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { type DemoAccount, platforms } from './harbour-markets.ts'
import { demoBridgeToken, demoManager, demoTimeZone, type Simulators } from './simulators.ts'

type Kind = DemoAccount['platform']

const secrets: Record<Kind, object> = {
  mt5: { managerPassword: demoManager.password },
  mt4: { token: demoBridgeToken },
}

export async function addPlatforms(tx: Tx, system: System): Promise<Record<Kind, string>> {
  const created_at = system.context.clock.now()
  const ids: Record<Kind, string> = { mt5: newId(), mt4: newId() }
  for (const { type, name, client_server, groups } of platforms) {
    const key = { workspace_id: system.workspaceId, platform_id: ids[type] }
    await tx
      .insertInto('trading_platforms')
      .values({ ...key, type, name, client_server, created_at, groups: JSON.stringify(groups) })
      .execute()
    await tx
      .insertInto('platform_connections')
      .values({
        ...key,
        settings: '{}',
        sealed_secret: system.context.seal.seal(JSON.stringify(secrets[type])),
        // The simulators never execute a call late by themselves, so a missing deal is final sooner than on a real server.
        settle_ms: 20_000,
        look_again_ms: 5_000,
        lease_ms: 30_000,
      })
      .execute()
  }
  return ids
}

/** The simulators listen on a new free port at each start. */
export async function pointAtSimulators(tx: Tx, system: System, simulators: Simulators): Promise<void> {
  const shared = { allowPlainHttp: true, callsPerSecond: 200, backOff: { firstMs: 500, maxMs: 5_000 } }
  const deadlines = { connectMs: 3_000, readMs: 8_000, writeMs: 10_000 }
  const settings: Record<Kind, object> = {
    mt5: {
      ...shared,
      baseUrl: simulators.mt5Url,
      managerLogin: demoManager.login,
      timeZone: demoTimeZone,
      deadlines: { ...deadlines, authMs: 3_000 },
    },
    mt4: { ...shared, baseUrl: simulators.mt4Url, deadlines },
  }
  for (const { type } of platforms) {
    await tx
      .updateTable('platform_connections')
      .set({ settings: JSON.stringify(settings[type]) })
      .where('workspace_id', '=', system.workspaceId)
      .where('platform_id', 'in', (query) =>
        query
          .selectFrom('trading_platforms')
          .select('platform_id')
          .where('workspace_id', '=', system.workspaceId)
          .where('type', '=', type),
      )
      .where(sql<boolean>`coalesce((settings ->> 'allowPlainHttp')::boolean, true)`)
      .execute()
  }
}
