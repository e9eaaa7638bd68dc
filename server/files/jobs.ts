import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { startRounds } from '../foundation/repeating.ts'
import { describeProblem } from '../observability/log.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { listWaiting, scanWaiting } from './scanning.ts'
import { removeStaleSpools, spoolFolder } from './spool.ts'
import { sweepUploads, unattachedForMs } from './sweep.ts'

export function fileJobs(context: Context): JobHandlers {
  return {
    'files.sweep-uploads': async ({ workspaceId }) => {
      const system = systemActor(context, workspaceId)
      await sweepUploads(system)
      // Without a scanner no job would ever end. One that is connected later finds the files here.
      if (!context.scanner) return
      for await (const waiting of listWaiting(system))
        await inTransaction(system, async (tx) => {
          for (const id of waiting) await context.jobs.enqueue(tx, 'files.scan', { workspaceId, id })
        })
    },
    'files.scan': ({ workspaceId, id }) => scanWaiting(systemActor(context, workspaceId), id),
  }
}

const sweepEveryMs = 3_600_000

/** Runs in every process, whatever its roles: partly received uploads are on the disk of the process that received them. */
export function startClearingSpool({ clock, config, log }: Context): () => void {
  return startRounds(sweepEveryMs, async () => {
    const before = new Date(clock.now().getTime() - unattachedForMs)
    try {
      await removeStaleSpools(spoolFolder(config.dataDirectory), before)
    } catch (problem) {
      log.error({ err: describeProblem(problem) }, 'incomplete uploads not deleted')
    }
  })
}
