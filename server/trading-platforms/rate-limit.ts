import type { Timer } from '../foundation/timer.ts'
import { TransportFailure } from './transport.ts'

const secondMs = 1_000

/**
 * Limits calls per second, because the platform refuses too frequent ones, with an undocumented limit. A clock that is
 * set back makes no call wait longer than it would have otherwise.
 */
export function openRateLimit(callsPerSecond: number, time: Timer) {
  const started: number[] = []
  let held = { until: 0, ms: 0 }
  const left = (until: number, ms: number): number => Math.min(until - time.now(), ms)
  return {
    /** Applies a pause that the platform asked for. */
    hold: (ms: number): void => {
      if (ms > left(held.until, held.ms)) held = { until: time.now() + ms, ms }
    },
    wait: async (signal: AbortSignal): Promise<void> => {
      const oldest = started.length < callsPerSecond ? undefined : started.shift()
      const paceMs = oldest === undefined ? 0 : left(oldest + secondMs, secondMs)
      const pauseMs = Math.max(paceMs, left(held.until, held.ms))
      if (pauseMs > 0) await pause(pauseMs, time, signal)
      started.push(time.now())
    },
  }
}

function pause(ms: number, time: Timer, signal: AbortSignal): Promise<void> {
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
