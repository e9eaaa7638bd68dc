import type { LookupFunction } from 'node:net'

/** What an adapter needs from the program around it. Tests pass their own time and read the log. */
export type Surroundings = {
  time: Timekeeper
  log: PlatformLog
  /** Where a name may lead to; without one, anywhere. */
  lookup?: LookupFunction
}

export type Timekeeper = {
  /** Milliseconds of true UTC. */
  now(): number
  /** Calls `work` later and answers a function that takes it back. */
  after(ms: number, work: () => void): () => void
}

/** The part of the program's logger that adapters use: fields first, then a sentence. */
export type PlatformLog = {
  info(fields: Record<string, unknown>, sentence: string): void
  warn(fields: Record<string, unknown>, sentence: string): void
  error(fields: Record<string, unknown>, sentence: string): void
}

/** Timers never keep the process alive: a ping is no reason to go on living. */
export const realTime: Timekeeper = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

const nothing = () => undefined
export const silentLog: PlatformLog = { info: nothing, warn: nothing, error: nothing }
