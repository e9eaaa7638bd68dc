import { systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { askForSweep, startRepeating } from '../foundation/sweeping.ts'
import { listWaiting, scanKept } from './scanning.ts'
import { sweepUploads } from './sweep.ts'

export function fileJobs(ground: Ground): JobHandlers {
  return {
    'files.sweep-uploads': async ({ workspaceId }) => {
      const system = systemActor(ground, workspaceId)
      await sweepUploads(system)
      const waiting = await listWaiting(system)
      if (waiting.length === 0) return
      await inTransaction(system, async (tx) => {
        for (const id of waiting) await ground.jobs.enqueue(tx, 'files.scan', { workspaceId, id })
      })
    },
    'files.scan': ({ workspaceId, id }) => scanKept(systemActor(ground, workspaceId), id),
  }
}

const sweepEveryMs = 3_600_000

export function startSweepingUploads(ground: Ground): () => void {
  return startRepeating(ground, sweepEveryMs, (system) => askForSweep(system, 'files.sweep-uploads'))
}
