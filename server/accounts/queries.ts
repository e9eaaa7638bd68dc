import { z } from 'zod'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'

const offeredGroups = z.array(z.object({ name: z.string(), alias: z.string() }))

/** The platforms that a workspace offers, oldest first, with the groups that a member may choose from. */
export async function readOfferedPlatforms(tx: Tx, actor: Actor) {
  const rows = await tx
    .selectFrom('trading_platforms')
    .select(['platform_id', 'name', 'type', 'groups'])
    .where('workspace_id', '=', actor.workspaceId)
    .orderBy('created_at')
    .orderBy('platform_id')
    .execute()
  return rows.map(({ platform_id, name, type, groups }) => ({
    id: platform_id,
    name,
    type,
    groups: offeredGroups.parse(groups),
  }))
}
