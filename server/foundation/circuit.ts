import type { Timekeeper } from './timekeeper.ts'

export type Pauses = { firstMs: number; maxMs: number }

/** How somebody outside stands with this process, told without asking them. */
export type CircuitState = { isCircuitOpen: boolean; lastAnswerAt: number | null }

export type Circuit = {
  failed(): void
  succeeded(): void
  isOpen(): boolean
  standing(): CircuitState
  stop(): void
}

/** So many calls in a row without an answer. */
const usualFailures = 3

type Options = {
  /** Tries whether it is back, and never throws. Without one the next call after a pause is what tries it. */
  probe?: () => Promise<boolean>
  pauses: Pauses
  failuresBeforeOpening?: number
  /** Without a probe, after each pause that ended in a failure again. */
  whenOpened(failuresInARow: number): void
  whenClosed?: (probes: number) => void
}

/**
 * The one circuit breaker. Opens after a few calls in a row that were left without an answer; from then on nothing is to be sent,
 * and everybody is refused at once. With a probe no call of a member or a job ever tries whether the other side is back:
 * the probe alone closes it, and nobody waits for that. Without one it is half open after each pause: who calls then decides.
 */
export function openCircuit(options: Options, time: Timekeeper): Circuit {
  const { probe, pauses, failuresBeforeOpening = usualFailures, whenOpened, whenClosed } = options
  let failuresInARow = 0
  let probes = 0
  let open = false
  let notBefore = 0
  let answeredAt: number | null = null
  let cancelProbe: () => void = () => undefined

  const isOpen = (): boolean => open && (probe !== undefined || time.now() < notBefore)

  /** Jitter keeps many processes from knocking at the same moment. */
  function pauseAfter(times: number): number {
    return Math.min(pauses.maxMs, pauses.firstMs * 2 ** Math.min(times, 20)) * (0.75 + Math.random() / 4)
  }

  function openUp(): void {
    open = true
    probes = 0
    notBefore = time.now() + pauseAfter(failuresInARow - failuresBeforeOpening)
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
      // Several calls that fail at the same moment are one failure once it is open.
      if (isOpen()) return
      failuresInARow += 1
      if (failuresInARow >= failuresBeforeOpening) openUp()
    },
    // With a probe, an answer to a call from before says nothing of now.
    succeeded: () => {
      answeredAt = time.now()
      if (open && probe) return
      if (open) close()
      failuresInARow = 0
    },
    isOpen,
    standing: () => ({ isCircuitOpen: isOpen(), lastAnswerAt: answeredAt }),
    stop: () => {
      open = false
      cancelProbe()
    },
  }
}
