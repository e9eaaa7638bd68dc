import { withoutLogContext } from '../observability/log-context.ts'

export type Timer = {
  /** Milliseconds of UTC. */
  now(): number
  /** Calls `work` later and returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
}

/** Timers do not keep the process alive, and their work is not part of the request that set them. */
export const realTime: Timer = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(() => withoutLogContext(work), ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
