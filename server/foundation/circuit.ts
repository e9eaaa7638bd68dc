import type { Timekeeper } from './timekeeper.ts'

export type Pauses = { firstMs: number; maxMs: number }

/** How somebody outside stands with this process, told without asking them. */
export type Standing = { isLeftInPeace: boolean; lastAnswerAt: number | null }

export type Circuit = {
  failed(): void
  succeeded(): void
  isOpen(): boolean
  standing(): Standing
  stop(): void
}

/** So many calls in a row without an answer. */
const usualFailures = 3
const pauseMsMax = 30_000

type Options = {
  /** Tries whether it is back, and never throws. */
  probe(): Promise<boolean>
  pauses: Pauses
  failuresBeforeOpening?: number
  whenOpened(failuresInARow: number): void
  whenClosed(probes: number): void
}

/**
 * Opens after a few calls in a row that were left without an answer. From then on nothing is to be sent, and everybody is
 * refused at once, until a probe of its own, which nobody waits for, is answered. No call of a member or a job is ever the
 * one that tries whether the other side is back.
 */
export function openCircuit(
  { probe, pauses, failuresBeforeOpening = usualFailures, whenOpened, whenClosed }: Options,
  time: Timekeeper,
): Circuit {
  let failuresInARow = 0
  let probes = 0
  let open = false
  let answeredAt: number | null = null
  let cancelProbe: () => void = () => undefined

  function openUp(): void {
    open = true
    probes = 0
    whenOpened(failuresInARow)
    probeLater()
  }

  function probeLater(): void {
    const pauseMs = Math.min(pauseMsMax, pauses.maxMs, pauses.firstMs * 2 ** Math.min(probes, 20))
    cancelProbe = time.after(pauseMs, () => void tryAgain())
  }

  async function tryAgain(): Promise<void> {
    probes += 1
    const isBack = await probe()
    if (!open) return
    if (!isBack) return probeLater()
    open = false
    failuresInARow = 0
    answeredAt = time.now()
    whenClosed(probes)
  }

  return {
    failed: () => {
      failuresInARow += 1
      if (!open && failuresInARow >= failuresBeforeOpening) openUp()
    },
    // An answer to a call from before says nothing of now; the probe alone closes.
    succeeded: () => {
      answeredAt = time.now()
      if (!open) failuresInARow = 0
    },
    isOpen: () => open,
    standing: () => ({ isLeftInPeace: open, lastAnswerAt: answeredAt }),
    stop: () => {
      open = false
      cancelProbe()
    },
  }
}
