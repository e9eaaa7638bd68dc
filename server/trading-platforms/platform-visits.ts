import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'
import { waitAtMost } from '../foundation/patience.ts'
import { describeProblem } from '../observability/log.ts'
import { startRepeating } from '../queue/sweeping.ts'

/** Something that waits for its platform: an intent, an opening, an account whose member changed. */
type Visited = { kind: 'intent' | 'opening' | 'account'; id: string; platformId: string }
type Settle = (system: System, id: string) => Promise<void>

/** In its platform's lane; one that cannot be visited keeps none behind it from its visit. */
export function processInQueue(system: System, { kind, id, platformId }: Visited, settle: Settle): Promise<void> {
  return system.context.platforms.visit(system, platformId, id, async () => {
    try {
      await settle(system, id)
    } catch (problem) {
      system.context.log.error({ err: describeProblem(problem), [kind]: id }, 'visit failed')
    }
  })
}

/** A worker of the queue waits for so long, then is there for others. */
const patienceMs = 2_000

/**
 * For work that no sweep would find again: the worker stays until it is done, or hands it on to a later job. Answers whether it
 * was done; what is still under way then goes on in its lane, and doing it twice must be harmless.
 */
export async function processPatiently(
  system: System,
  visited: Visited,
  work: (system: System, id: string) => Promise<boolean>,
): Promise<boolean> {
  let isDone = false
  const { id, platformId, kind } = visited
  const visit = system.context.platforms.visit(system, platformId, `${id}/again`, async () => {
    try {
      isDone = await work(system, id)
    } catch (problem) {
      system.context.log.error({ err: describeProblem(problem), [kind]: id }, 'visit failed')
    }
  })
  await waitAtMost(patienceMs, visit)
  return isDone
}

const sweepEveryMs = 10_000

/** Puts what is overdue in a workspace into the lanes of its platforms, and answers its visits. */
type ProcessOverdue = (system: System) => Promise<readonly Promise<void>[]>

/**
 * What a killed process left behind is picked up at once, and then every few seconds. Answers how to stop. A round does not wait
 * for its visits: of a platform that hangs they last for hours, and others are due meanwhile. A lane takes none in twice.
 */
export function startSweepingVisits(context: Context, processOverdue: ProcessOverdue): () => void {
  return startRepeating(context, sweepEveryMs, processOverdue)
}

/** One such round, for whoever waits for what comes of it. */
export async function sweepVisits(context: Context, processOverdue: ProcessOverdue): Promise<void> {
  const visits: Promise<void>[] = []
  for (const system of await listWorkspaces(context)) visits.push(...(await processOverdue(system)))
  await Promise.all(visits)
}
