import { apart } from '../observability/under-way.ts'

export type Timekeeper = {
  /** Milliseconds of true UTC. */
  now(): number
  /** Calls `work` later and answers a function that takes it back. */
  after(ms: number, work: () => void): () => void
}

/** Timers never keep the process alive: a ping is no reason to go on living. Nor is it part of the call that it comes after. */
export const realTime: Timekeeper = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(() => apart(work), ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
