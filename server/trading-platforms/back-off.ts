import { GatewayError, type GatewayFailure, type HealthProblem } from './contract.ts'
import type { Surroundings } from './surroundings.ts'

type Met = { failure: GatewayFailure; problem: HealthProblem }

const FAILURES_BEFORE_ALERT = 5

/**
 * After a platform could not be reached or signed in to, nothing is tried for a while, and what is asked meanwhile fails
 * at once: a dead platform must not keep its callers waiting.
 */
export function openBackOff(pauses: { firstMs: number; maxMs: number }, { time, log }: Surroundings) {
  let failuresInARow = 0
  let last: Met | undefined
  let notBefore = 0
  return {
    /** Throws while the pause lasts. */
    refuse: (): void => {
      if (last !== undefined && time.now() < notBefore) throw new GatewayError(last.failure)
    },
    failed: (met: Met): GatewayError => {
      // Several calls that fail at the same moment are one failure.
      if (last !== undefined && time.now() < notBefore) return new GatewayError(met.failure)
      failuresInARow += 1
      last = met
      const pauseMs = Math.min(pauses.maxMs, pauses.firstMs * 2 ** Math.min(failuresInARow - 1, 20))
      // Jitter keeps many processes from knocking at the same moment.
      notBefore = time.now() + pauseMs * (0.75 + Math.random() / 4)
      const fields = { event: 'platform.sign-in-failed', problem: met.problem, failuresInARow }
      if (failuresInARow === FAILURES_BEFORE_ALERT || met.problem === 'server_not_proven') {
        log.error({ ...fields, alert: true }, 'The trading platform cannot be signed in to')
      } else log.warn(fields, 'Signing in to the trading platform failed')
      return new GatewayError(met.failure)
    },
    succeeded: (): void => {
      failuresInARow = 0
      last = undefined
    },
    state: (): { problems: HealthProblem[] } => {
      const repeatedly: HealthProblem[] = failuresInARow >= FAILURES_BEFORE_ALERT ? ['auth_failing_repeatedly'] : []
      return { problems: last === undefined ? [] : [last.problem, ...repeatedly] }
    },
  }
}
