import type { LookupFunction } from 'node:net'
import type { Timer } from '../foundation/timer.ts'

/** The dependencies of an adapter. Tests pass their own time and read the log. */
export type Dependencies = {
  time: Timer
  log: PlatformLog
  /** Checks resolved addresses; without it, any address is allowed. */
  lookup?: LookupFunction
}

/** The part of the program's logger that adapters use: fields first, then a message. */
export type PlatformLog = {
  info(fields: Record<string, unknown>, sentence: string): void
  warn(fields: Record<string, unknown>, sentence: string): void
  error(fields: Record<string, unknown>, sentence: string): void
}

const nothing = () => undefined
export const silentLog: PlatformLog = { info: nothing, warn: nothing, error: nothing }
