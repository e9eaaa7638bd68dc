import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { describeProblem } from '../observability/log.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { startRepeating } from '../queue/sweeping.ts'
import { askForDue } from './ask.ts'
import { reconcileDay } from './keeping.ts'

export function reconciliationJobs(context: Context): JobHandlers {
  return {
    'reconciliation.read-day': async ({ workspaceId, id }) => {
      // Handed over: it takes as long as its platforms do, and the sweep finds what a process left lying.
      reconcileDay(systemActor(context, workspaceId), id).catch((problem) =>
        context.log.error({ err: describeProblem(problem), day: id }, 'day not reconciled'),
      )
    },
  }
}

const askEveryMs = 5 * 60_000

/** Soon after a brokerage's midnight its last days are looked at, again each night: what came late is found late. */
export function startReconciling(context: Context): () => void {
  return startRepeating(context, askEveryMs, askForDue)
}
