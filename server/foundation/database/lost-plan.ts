import pg from 'pg'
import type { Context } from '../context.ts'
import type { Plans } from './pool.ts'

/** The server does not know the prepared statement, or has one with that name already. */
const lostPlan: readonly string[] = ['26000', '42P05']
const isOfAnotherSession = (problem: pg.DatabaseError) => lostPlan.includes(problem.code ?? '')

/** Whether a statement failed only because it was prepared, so that its transaction has changed nothing and may run again. */
export function isPlanLost(problem: unknown): boolean {
  if (!(problem instanceof pg.DatabaseError)) return false
  // A migration changed the table after the statement was prepared.
  return isOfAnotherSession(problem) || problem.routine === 'RevalidateCachedQuery'
}

/**
 * The same, and when a session is not the one that prepared the statement, this process prepares none on that pool from now on: an
 * undeclared pooler gives our transactions to other sessions.
 */
export function notePlanLost(problem: unknown, plans: Plans, { log }: Pick<Context, 'log'>): boolean {
  if (problem instanceof pg.DatabaseError && isOfAnotherSession(problem) && plans.arePrepared) {
    plans.arePrepared = false
    log.warn(
      { code: problem.code },
      'the database lost a prepared statement; statements are no longer prepared until the next start',
    )
  }
  return isPlanLost(problem)
}
