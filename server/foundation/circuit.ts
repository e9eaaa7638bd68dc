import type { Timer } from './timer.ts'

export type Pauses = { firstMs: number; maxMs: number }

/** The last known health of an external service in this process, without a call. */
export type CircuitState = { isCircuitOpen: boolean; lastAnswerAt: number | null }

export type Circuit = {
  failed(): void
  succeeded(): void
  isOpen(): boolean
  circuitState(): CircuitState
  stop(): void
}

/** Consecutive calls without an answer before the circuit opens. */
const usualFailures = 3

type Options = {
  /** Checks whether the service is back; never throws. Without a probe the next call after a pause is the check. */
  probe?: () => Promise<boolean>
  pauses: Pauses
  failuresBeforeOpening?: number
  /** Without a probe, called again after each pause that ends in a failure. */
  whenOpened(failuresInARow: number): void
  whenClosed?: (probes: number) => void
}

/**
 * The circuit breaker: opens after a few consecutive calls without an answer and then refuses all calls. With a probe
 * only the probe closes it; without one it is half open after each pause, and the next call decides.
 */
export function openCircuit(options: Options, time: Timer): Circuit {
  const { probe, pauses, failuresBeforeOpening = usualFailures, whenOpened, whenClosed } = options
  let failuresInARow = 0
  let probes = 0
  let open = false
  let openedAt = 0
  let pauseMs = 0
  let answeredAt: number | null = null
  let cancelProbe: () => void = () => undefined

  /** A clock that is set back ends the pause: the next call is the check. */
  function isPausing(): boolean {
    const passedMs = time.now() - openedAt
    return passedMs >= 0 && passedMs < pauseMs
  }
  const isOpen = (): boolean => open && (probe !== undefined || isPausing())

  /** Jitter prevents simultaneous probes of many processes. */
  function pauseAfter(times: number): number {
    return Math.min(pauses.maxMs, pauses.firstMs * 2 ** Math.min(times, 20)) * (0.75 + Math.random() / 4)
  }

  function openUp(): void {
    open = true
    probes = 0
    openedAt = time.now()
    pauseMs = pauseAfter(failuresInARow - failuresBeforeOpening)
    whenOpened(failuresInARow)
    if (probe) probeLater(probe)
  }

  function close(): void {
    open = false
    failuresInARow = 0
    answeredAt = time.now()
    whenClosed?.(probes)
  }

  function probeLater(isBack: () => Promise<boolean>): void {
    const tryAgain = async (): Promise<void> => {
      probes += 1
      const wasAnswered = await isBack()
      if (!open) return
      if (wasAnswered) close()
      else probeLater(isBack)
    }
    cancelProbe = time.after(pauseAfter(probes), () => void tryAgain())
  }

  return {
    failed: () => {
      // Concurrent failures count once when the circuit is open.
      if (isOpen()) return
      failuresInARow += 1
      if (failuresInARow >= failuresBeforeOpening) openUp()
    },
    // With a probe, a late answer to an earlier call does not close the circuit.
    succeeded: () => {
      answeredAt = time.now()
      if (open && probe) return
      if (open) close()
      failuresInARow = 0
    },
    isOpen,
    circuitState: () => ({ isCircuitOpen: isOpen(), lastAnswerAt: answeredAt }),
    stop: () => {
      open = false
      cancelProbe()
    },
  }
}
