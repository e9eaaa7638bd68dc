import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { onceProven } from '../foundation/pending-proof.ts'
import { describeProblem } from '../observability/log.ts'
import type { PlatformLink } from './platform-connections.ts'

/** A disabled platform or one with unusable settings needs an operator; the desk shows which. */
export async function findLink(system: System, platformId: string): Promise<PlatformLink | { problem: string }> {
  // Outside the `try`: a proof that failed says nothing about the platform.
  await onceProven(async () => undefined)
  try {
    return (await system.context.platforms.link(system, platformId)) ?? { problem: 'not_connected' }
  } catch (problem) {
    system.context.log.error({ err: describeProblem(problem), platform: platformId }, 'platform cannot be connected')
    return { problem: 'misconfigured' }
  }
}

/** The platform of an intent. */
export function findPlace(system: System, intentId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('platform_intents')
      .select('platform_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('intent_id', '=', intentId)
      .executeTakeFirst(),
  )
}
