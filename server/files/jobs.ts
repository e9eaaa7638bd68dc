import { systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { describeProblem } from '../foundation/log.ts'
import { listWorkspaces } from '../workspaces/workspace.ts'
import { sweepUploads } from './sweep.ts'

export function fileJobs(ground: Ground): JobHandlers {
  return {
    'files.sweep-uploads': async ({ workspaceId }) => {
      await sweepUploads(systemActor(ground, workspaceId))
    },
  }
}

const sweepEveryMs = 3_600_000

/** Asks for a sweep of every workspace, now and each hour. Several processes may ask: sweeping twice removes nothing more. */
export function startSweepingUploads(ground: Ground): () => void {
  const ask = (): void => {
    askForSweeps(ground).catch((problem) => ground.log.error({ err: describeProblem(problem) }, 'sweep not asked for'))
  }
  ask()
  const timer = setInterval(ask, sweepEveryMs)
  return () => clearInterval(timer)
}

async function askForSweeps(ground: Ground): Promise<void> {
  for (const system of await listWorkspaces(ground)) {
    const { workspaceId } = system
    await inTransaction(system, (tx) =>
      ground.jobs.enqueue(tx, 'files.sweep-uploads', { workspaceId, id: workspaceId }),
    )
  }
}
