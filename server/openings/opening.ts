import type { AccountKind, openingStates } from '@atrium/contract/openings/states.ts'
import type { Selectable, Updateable } from 'kysely'
import { type Actor, actorOf, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { AccountOpenings } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { assertState } from '../foundation/errors.ts'
import { type Decider, requirePermit } from '../money-decisions/policy.ts'

export type Opening = Selectable<AccountOpenings>

export type OpeningState = (typeof openingStates)[number]

/** A member has at most one opening of each kind in these states. */
export const underWay = ['ready', 'sending', 'unknown'] as const

/**
 * Legal transitions; a trigger in the database enforces the same table. No state leads back to sending, since the
 * password is gone; `not_opened` to `done` is an account that appeared after it was recorded as absent.
 */
const openingMoves: Record<OpeningState, readonly OpeningState[]> = {
  ready: ['sending', 'rejected', 'not_executed'],
  sending: ['done', 'rejected', 'not_executed', 'unknown'],
  unknown: ['done', 'not_opened'],
  not_opened: ['done'],
  done: [],
  rejected: [],
  not_executed: [],
}

export const canMove = (opening: Opening, to: OpeningState): boolean =>
  openingMoves[opening.state as OpeningState].includes(to)

export async function findOpening(tx: Tx, actor: Actor, openingId: string): Promise<Opening | null> {
  const row = await tx
    .selectFrom('account_openings')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('opening_id', '=', openingId)
    .executeTakeFirst()
  return row ?? null
}

export async function lockOpening(tx: Tx, actor: Actor, openingId: string): Promise<Opening | null> {
  const row = await tx
    .selectFrom('account_openings')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('opening_id', '=', openingId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** The only function that sets an opening's state: for the system, and for staff who end one. The row must be locked. */
export async function moveOpening(
  tx: Tx,
  actor: System | Decider,
  opening: Opening,
  to: OpeningState,
  set: Updateable<AccountOpenings> = {},
): Promise<Opening> {
  requirePermit(actor, opening.member_id)
  assertState(canMove(opening, to), `an opening moves from ${opening.state} to ${to}`)
  const isOver = !underWay.some((state) => state === to)
  const moved = await tx
    .updateTable('account_openings')
    .set({ ...(isOver && { ended_at: actor.context.clock.now() }), ...set, state: to })
    .where('workspace_id', '=', actor.workspaceId)
    .where('opening_id', '=', opening.opening_id)
    .where('state', '=', opening.state)
    .returningAll()
    .executeTakeFirst()
  assertState(moved, 'a locked opening did not move')
  await audit(tx, actorOf(actor), {
    action: `opening.${to.replace('_', '-')}`,
    subject: { kind: 'account_opening', id: opening.opening_id },
    memberId: opening.member_id,
    before: { state: opening.state },
    after: { state: to, login: moved.platform_login, account: moved.account_id, problem: moved.last_problem },
  })
  return moved
}

/** Delay of the job, because our clock and the database's may differ by some milliseconds. */
const skewMs = 250

export async function scheduleTask(tx: Tx, actor: Actor, openingId: string, at: Date): Promise<void> {
  const data = { workspaceId: actor.workspaceId, id: openingId }
  await actor.context.jobs.enqueue(tx, 'openings.settle', data, { startAfter: new Date(at.getTime() + skewMs) })
}

/** Records the time of a look-up that found no account, for staff. */
export async function recordLookUp(tx: Tx, system: System, { opening_id }: Opening): Promise<void> {
  await tx
    .updateTable('account_openings')
    .set({ looked_at: system.context.clock.now() })
    .where('workspace_id', '=', system.workspaceId)
    .where('opening_id', '=', opening_id)
    .execute()
}

/** Sets the next task and its job without a change of state. */
export async function postpone(
  tx: Tx,
  system: System,
  opening: Opening,
  delayMs: number,
  also: { absent_since?: Date | null; last_problem?: string } = {},
): Promise<void> {
  const nextStepAt = new Date(system.context.clock.now().getTime() + delayMs)
  await tx
    .updateTable('account_openings')
    .set({ ...also, next_step_at: nextStepAt })
    .where('workspace_id', '=', system.workspaceId)
    .where('opening_id', '=', opening.opening_id)
    .execute()
  await scheduleTask(tx, system, opening.opening_id, nextStepAt)
}

export const kindOf = (opening: Opening): AccountKind => opening.kind as AccountKind
