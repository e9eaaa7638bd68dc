import { openCircuit, type Pauses } from '../foundation/circuit.ts'
import { GatewayError, type GatewayFailure, type HealthProblem } from './contract.ts'
import type { Dependencies } from './dependencies.ts'

type Met = { failure: GatewayFailure; problem: HealthProblem }

const FAILURES_BEFORE_ALERT = 5

/**
 * After a failed connection or sign-in no further attempt is made for a while, and calls fail immediately, so that a
 * dead platform does not keep its callers waiting.
 */
export function openBackOff(pauses: Pauses, { time, log }: Dependencies) {
  let last: Met | undefined
  let isRepeated = false
  const circuit = openCircuit({ pauses, failuresBeforeOpening: 1, whenOpened: noteFailure }, time)

  function noteFailure(failuresInARow: number): void {
    const fields = { event: 'platform.sign-in-failed', problem: last?.problem, failuresInARow }
    isRepeated = failuresInARow >= FAILURES_BEFORE_ALERT
    if (failuresInARow === FAILURES_BEFORE_ALERT || last?.problem === 'server_not_proven') {
      log.error({ ...fields, alert: true }, 'The trading platform cannot be signed in to')
    } else log.warn(fields, 'Signing in to the trading platform failed')
  }

  return {
    /** Throws while the pause lasts. */
    refuse: (): void => {
      if (last !== undefined && circuit.isOpen()) throw new GatewayError(last.failure)
    },
    failed: (met: Met): GatewayError => {
      if (!circuit.isOpen()) last = met
      circuit.failed()
      return new GatewayError(met.failure)
    },
    succeeded: (): void => {
      last = undefined
      isRepeated = false
      circuit.succeeded()
    },
    state: (): { problems: HealthProblem[] } => {
      const repeatedly: HealthProblem[] = isRepeated ? ['auth_failing_repeatedly'] : []
      return { problems: last === undefined ? [] : [last.problem, ...repeatedly] }
    },
  }
}
