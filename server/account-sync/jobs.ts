import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { describeProblem } from '../observability/log.ts'
import { resumePersonChanges } from '../openings/person-change.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { comparePlatform } from './compare.ts'

export function accountSyncJobs(context: Context): JobHandlers {
  return {
    'comparisons.compare-platforms': async ({ workspaceId }) => {
      const system = systemActor(context, workspaceId)
      await resumePersonChanges(system)
      // Runs in the platform's queue: a worker waiting for a hanging platform would be missing to other workspaces.
      void comparePlatforms(system)
    },
  }
}

/** Runs each platform in its own queue, so that a slow one does not delay the others. */
export async function comparePlatforms(system: System): Promise<void> {
  try {
    const platforms = await reading(system, (tx) =>
      tx
        .selectFrom('platform_connections as connection')
        .innerJoin('trading_platforms as platform', (join) =>
          join
            .onRef('platform.workspace_id', '=', 'connection.workspace_id')
            .onRef('platform.platform_id', '=', 'connection.platform_id'),
        )
        .select('connection.platform_id')
        .where('connection.workspace_id', '=', system.workspaceId)
        .where('platform.enabled', '=', true)
        .execute(),
    )
    await Promise.all(platforms.map(({ platform_id }) => compareApart(system, platform_id)))
  } catch (problem) {
    system.context.log.error({ err: describeProblem(problem) }, 'platforms not compared')
  }
}

async function compareApart(system: System, platformId: string): Promise<void> {
  try {
    await system.context.platforms.runQueued(system, platformId, 'compare', () => comparePlatform(system, platformId))
  } catch (problem) {
    system.context.log.error({ err: describeProblem(problem), platform: platformId }, 'platform not compared')
  }
}
