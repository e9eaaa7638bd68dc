import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { describeProblem } from '../observability/log.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { startRepeating } from '../queue/sweeping.ts'
import { reconcileDay } from './reconcile-day.ts'
import { askForDue } from './requests.ts'

export function reconciliationJobs(context: Context): JobHandlers {
  return {
    'reconciliation.read-day': async ({ workspaceId, id }) => {
      // Not awaited: it takes as long as its platforms do, and the sweep resumes an abandoned one.
      reconcileDay(systemActor(context, workspaceId), id).catch((problem) =>
        context.log.error({ err: describeProblem(problem), day: id }, 'day not reconciled'),
      )
    },
  }
}

const askEveryMs = 5 * 60_000

/** Compares the last days soon after a brokerage's midnight, every night, so that late events are found. */
export function startReconciling(context: Context): () => void {
  return startRepeating(context, askEveryMs, askForDue)
}
