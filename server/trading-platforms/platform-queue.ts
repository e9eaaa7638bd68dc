import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'
import { waitAtMost } from '../foundation/wait-at-most.ts'
import { describeProblem } from '../observability/log.ts'
import { startRepeating } from '../queue/sweeping.ts'

/** Subject of a platform task: an intent, an opening, or an account whose member changed. */
type QueuedTask = { kind: 'intent' | 'opening' | 'account'; id: string; platformId: string }
type Settle = (system: System, id: string) => Promise<void>

/** Runs in the platform's queue; a failure does not stop the tasks behind it. */
export function processInQueue(system: System, { kind, id, platformId }: QueuedTask, settle: Settle): Promise<void> {
  return system.context.platforms.runQueued(system, platformId, id, async () => {
    try {
      await settle(system, id)
    } catch (problem) {
      system.context.log.error({ err: describeProblem(problem), [kind]: id }, 'task failed')
    }
  })
}

/** How long a worker of the queue waits for the task. */
const waitMsMax = 2_000

/**
 * For work that no sweep finds again: the worker waits, and the caller schedules a later job when this returns false.
 * An unfinished task continues in its queue, so it must be idempotent.
 */
export async function processPatiently(
  system: System,
  task: QueuedTask,
  work: (system: System, id: string) => Promise<boolean>,
): Promise<boolean> {
  let isDone = false
  const { id, platformId, kind } = task
  const running = system.context.platforms.runQueued(system, platformId, `${id}/again`, async () => {
    try {
      isDone = await work(system, id)
    } catch (problem) {
      system.context.log.error({ err: describeProblem(problem), [kind]: id }, 'task failed')
    }
  })
  await waitAtMost(waitMsMax, running)
  return isDone
}

const sweepEveryMs = 10_000

/** Enqueues overdue work of a workspace in the queues of its platforms, and returns the tasks. */
type ProcessOverdue = (system: System) => Promise<readonly Promise<void>[]>

/**
 * Picks up work of killed processes now and every few seconds; returns a function that stops it. A sweep does not wait
 * for its tasks, which a hanging platform may delay for hours; a queue accepts none twice.
 */
export function startSweepingOverdue(context: Context, processOverdue: ProcessOverdue): () => void {
  return startRepeating(context, sweepEveryMs, processOverdue)
}

/** One sweep that also waits for its tasks. */
export async function sweepOverdue(context: Context, processOverdue: ProcessOverdue): Promise<void> {
  const tasks: Promise<void>[] = []
  for (const system of await listWorkspaces(context)) tasks.push(...(await processOverdue(system)))
  await Promise.all(tasks)
}
