import type { ProgramLog } from '../observability/log.ts'
import type { Clock } from './clock.ts'
import type { Seal } from './secrets.ts'

/**
 * What every unit of work stands on. Made once in start.ts (or by a test) and carried by each actor; no module keeps its own.
 * What stands on this file adds its part in server/context.ts, so that the foundation names none of it.
 */
export interface Context {
  clock: Clock
  log: ProgramLog
  seal: Seal
}
