import type { System } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import { describeProblem } from '../foundation/log.ts'

/** Something that waits for its platform: an intent, an opening. */
type Visited = { kind: 'intent' | 'opening'; id: string; platformId: string }
type Settle = (system: System, id: string) => Promise<void>

/** In its platform's lane; one that cannot be visited keeps none behind it from its visit. */
export function visitInLane(system: System, { kind, id, platformId }: Visited, settle: Settle): Promise<void> {
  return system.ground.platforms.visit(system, platformId, id, async () => {
    try {
      await settle(system, id)
    } catch (problem) {
      system.ground.log.error({ err: describeProblem(problem), [kind]: id }, 'visit failed')
    }
  })
}

const sweepEveryMs = 10_000

/** What a killed process left behind is picked up at once, and then every few seconds. Answers how to stop. */
export function startSweepingVisits(ground: Ground, sweepAll: (ground: Ground) => Promise<void>): () => void {
  const sweep = (): void => {
    sweepAll(ground).catch((problem) => ground.log.error({ err: describeProblem(problem) }, 'sweep failed'))
  }
  sweep()
  const timer = setInterval(sweep, sweepEveryMs)
  return () => clearInterval(timer)
}
