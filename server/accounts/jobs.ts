import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { thinFigures } from './figure-history.ts'

export function accountJobs(ground: Ground): JobHandlers {
  return {
    'accounts.thin-figures': async ({ workspaceId }) => {
      await thinFigures(systemActor(ground, workspaceId))
    },
  }
}
