import type { ProgramLog } from '../observability/log.ts'
import type { Clock } from './clock.ts'
import type { Seal } from './secrets.ts'

/**
 * The dependencies of every unit of work, made once in start.ts or by a test and carried by each actor. Domains add
 * their parts in server/context.ts, so that the foundation names none of them.
 */
export interface Context {
  clock: Clock
  log: ProgramLog
  seal: Seal
}
