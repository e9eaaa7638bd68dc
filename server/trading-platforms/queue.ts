import { makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'
import type { Timer } from '../foundation/timer.ts'
import { GatewayError } from './contract.ts'

export type Job<Result> = {
  /** Balance operations go before reads. */
  urgent: boolean
  deadlineAt: number
  run(signal: AbortSignal): Promise<Result>
}

/**
 * Limits concurrent calls, balance operations first. One at a time where the session is the socket: answers come in
 * order, and no call may overtake a sign-in.
 */
export function openQueue(time: Timer, { atOnce = 1 }: { atOnce?: number } = {}) {
  const concurrencyLimiter = makeConcurrencyLimiter(atOnce)
  const controllers = new Set<AbortController>()

  async function add<Result>({ urgent, deadlineAt, run }: Job<Result>): Promise<Result> {
    const controller = new AbortController()
    const { signal } = controller
    controllers.add(controller)
    const cancelDeadline = time.after(Math.max(0, deadlineAt - time.now()), () =>
      controller.abort(new GatewayError({ outcome: 'not_executed', reason: 'timeout', sent: false })),
    )
    try {
      return await concurrencyLimiter(() => run(signal), { isFirst: urgent, signal })
    } finally {
      cancelDeadline()
      controllers.delete(controller)
    }
  }

  return {
    add,
    idle: concurrencyLimiter.isIdle,
    /** Refuses waiting calls and cuts running ones. */
    stop: (error: GatewayError) => {
      for (const controller of controllers) controller.abort(error)
    },
  }
}
