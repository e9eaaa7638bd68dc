import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { downsampleAccountMetrics } from './account-metrics-history.ts'

export function accountJobs(context: Context): JobHandlers {
  return {
    'accounts.thin-figures': async ({ workspaceId }) => {
      await downsampleAccountMetrics(systemActor(context, workspaceId))
    },
  }
}
