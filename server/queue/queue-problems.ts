import type { ProgramLog } from '../observability/log.ts'
import { describeProblem } from '../observability/log.ts'

const againAfterMs = 10_000

/** The queue passes workers' problems as plain objects with the fields of an error. */
type Problem = { message?: unknown; stack?: unknown; code?: unknown; queue?: unknown }

/**
 * Logs problems of the job queue. When the database is down, every worker fails at every poll, so an equal problem is
 * logged at intervals with the number of repetitions.
 */
export function queueProblems(log: Pick<ProgramLog, 'error'>, nowMs = () => performance.now()) {
  const met = new Map<string, { loggedAtMs: number; since: number }>()
  return (problem: unknown): void => {
    const given = problem as Problem
    const message = String(given?.message ?? '')
    const before = met.get(message)
    if (before && nowMs() - before.loggedAtMs < againAfterMs) {
      before.since += 1
      return
    }
    if (!before && met.size > 100) met.clear()
    met.set(message, { loggedAtMs: nowMs(), since: 0 })
    const err =
      problem instanceof Error ? problem : Object.assign(new Error(message), { code: given?.code, stack: given?.stack })
    log.error({ err: describeProblem(err), queue: given?.queue, more: before?.since ?? 0 }, 'job queue')
  }
}
