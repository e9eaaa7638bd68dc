import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { sweepUploads } from './sweep.ts'

export function fileJobs(ground: Ground): JobHandlers {
  return {
    'files.sweep-uploads': async ({ workspaceId }) => {
      await sweepUploads(systemActor(ground, workspaceId))
    },
  }
}
