import type { Timekeeper } from '../foundation/timekeeper.ts'
import { TransportFailure } from './transport.ts'

/** Limits calls per second. The platform refuses too frequent ones, with an undocumented limit. */
export function openRateLimit(callsPerSecond: number, time: Timekeeper) {
  const started: number[] = []
  let heldUntil = 0
  return {
    /** Applies a pause that the platform asked for. */
    holdUntil: (at: number): void => {
      heldUntil = Math.max(heldUntil, at)
    },
    wait: async (signal: AbortSignal): Promise<void> => {
      const oldest = started.length < callsPerSecond ? undefined : started.shift()
      const pauseMs = Math.max(oldest === undefined ? 0 : oldest + 1000 - time.now(), heldUntil - time.now())
      if (pauseMs > 0) await pause(pauseMs, time, signal)
      started.push(time.now())
    },
  }
}

function pause(ms: number, time: Timekeeper, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel()
      reject(new TransportFailure('aborted', false))
    }
    const cancel = time.after(ms, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
}
