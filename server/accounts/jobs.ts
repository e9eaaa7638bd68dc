import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { askForSweep, startRepeating } from '../queue/sweeping.ts'
import { thinFigures } from './figure-history.ts'

export function accountJobs(ground: Ground): JobHandlers {
  return {
    'accounts.thin-figures': async ({ workspaceId }) => {
      await thinFigures(systemActor(ground, workspaceId))
    },
  }
}

const thinEveryMs = 3_600_000

export function startThinningFigures(ground: Ground): () => void {
  return startRepeating(ground, thinEveryMs, (system) => askForSweep(system, 'accounts.thin-figures'))
}
