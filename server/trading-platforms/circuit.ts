import { GatewayError, type Health } from './contract.ts'
import type { Surroundings } from './surroundings.ts'

export type Circuit = {
  /** Throws while the circuit is open. */
  refuse(): void
  failed(): void
  succeeded(): void
  isOpen(): boolean
  /** When a call was answered last; null: none was. */
  lastAnswerAt(): number | null
  /** What the platform said of itself when it was last tried. */
  lastHealth(): Health | null
  stop(): void
}

const failuresBeforeOpening = 3
const pauseMsMax = 30_000

type Options = {
  /** Asks the platform how it is, and never throws. */
  probe(): Promise<Health>
  pauses: { firstMs: number; maxMs: number }
}

/**
 * Opens after a few calls in a row that the platform left without an answer. From then on nothing is sent and everybody is
 * refused at once, until a probe of its own, which nobody waits for, is answered. No call of a member or a job is ever the
 * one that tries whether the platform is back.
 */
export function openCircuit({ probe, pauses }: Options, { time, log }: Surroundings): Circuit {
  let failuresInARow = 0
  let probes = 0
  let open = false
  let health: Health | null = null
  let answeredAt: number | null = null
  let cancelProbe: () => void = () => undefined

  function openUp(): void {
    open = true
    probes = 0
    log.error({ event: 'platform.circuit-opened', failuresInARow, alert: true }, 'The trading platform does not answer')
    probeLater()
  }

  function probeLater(): void {
    const pauseMs = Math.min(pauseMsMax, pauses.maxMs, pauses.firstMs * 2 ** Math.min(probes, 20))
    cancelProbe = time.after(pauseMs, () => void tryAgain())
  }

  async function tryAgain(): Promise<void> {
    probes += 1
    health = await probe()
    if (!open) return
    if (!isAnswering(health)) return probeLater()
    open = false
    failuresInARow = 0
    answeredAt = time.now()
    log.info({ event: 'platform.circuit-closed', probes }, 'The trading platform answers again')
  }

  return {
    refuse: () => {
      if (open) throw new GatewayError({ outcome: 'not_executed', reason: 'unreachable', sent: false })
    },
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
    lastAnswerAt: () => answeredAt,
    lastHealth: () => health,
    stop: () => {
      open = false
      cancelProbe()
    },
  }
}

function isAnswering({ reachable, authenticated, problems }: Health): boolean {
  return reachable && authenticated && !problems.includes('not_answering') && !problems.includes('unreachable')
}
