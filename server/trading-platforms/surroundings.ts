import type { LookupFunction } from 'node:net'
import type { Timekeeper } from '../foundation/timekeeper.ts'

/** What an adapter needs from the program around it. Tests pass their own time and read the log. */
export type Surroundings = {
  time: Timekeeper
  log: PlatformLog
  /** Where a name may lead to; without one, anywhere. */
  lookup?: LookupFunction
}

/** The part of the program's logger that adapters use: fields first, then a sentence. */
export type PlatformLog = {
  info(fields: Record<string, unknown>, sentence: string): void
  warn(fields: Record<string, unknown>, sentence: string): void
  error(fields: Record<string, unknown>, sentence: string): void
}

const nothing = () => undefined
export const silentLog: PlatformLog = { info: nothing, warn: nothing, error: nothing }
