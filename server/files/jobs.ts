import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { askForSweep, startRepeating } from '../foundation/sweeping.ts'
import { sweepUploads } from './sweep.ts'

export function fileJobs(ground: Ground): JobHandlers {
  return {
    'files.sweep-uploads': async ({ workspaceId }) => {
      await sweepUploads(systemActor(ground, workspaceId))
    },
  }
}

const sweepEveryMs = 3_600_000

export function startSweepingUploads(ground: Ground): () => void {
  return startRepeating(ground, sweepEveryMs, (system) => askForSweep(system, 'files.sweep-uploads'))
}
