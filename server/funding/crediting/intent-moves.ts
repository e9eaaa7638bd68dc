import type { Selectable, Updateable } from 'kysely'
import { audit } from '../../foundation/audit.ts'
import type { PlatformIntents } from '../../foundation/database/database.generated.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { assertState } from '../../foundation/errors.ts'
import type { Mover } from '../../money-decisions/policy.ts'

export type Intent = Selectable<PlatformIntents>

export type IntentState = 'ready' | 'sending' | 'unknown' | 'done' | 'rejected' | 'stuck'

/**
 * Legal transitions of an intent, the same as in the database trigger. From `unknown` only proven absence allows a
 * resend; `ready` to `done` is an answer that arrived after its sender had lost the lease. `stuck` ends only by the
 * recorded word of two people (`stuck-outcome.ts`).
 */
export const intentMoves: Record<IntentState, readonly IntentState[]> = {
  ready: ['sending', 'done', 'stuck'],
  sending: ['done', 'rejected', 'unknown', 'ready'],
  unknown: ['done', 'ready', 'stuck'],
  stuck: ['unknown', 'done', 'rejected'],
  done: [],
  rejected: [],
}

/** The only function that sets an intent's state. The row must be locked. */
export async function moveIntent(
  tx: Tx,
  actor: Mover,
  intent: Intent,
  to: IntentState,
  set: Updateable<PlatformIntents> = {},
): Promise<Intent> {
  const from = intent.state as IntentState
  assertState(intentMoves[from].includes(to), `an intent moves from ${from} to ${to}`)
  const moved = await tx
    .updateTable('platform_intents')
    .set({ ...set, state: to })
    .where('workspace_id', '=', actor.workspaceId)
    .where('intent_id', '=', intent.intent_id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst()
  assertState(moved, 'a locked intent did not move')
  await audit(tx, actor, {
    action: `intent.${to}`,
    subject: { kind: 'platform_intent', id: intent.intent_id },
    before: { state: from },
    after: { state: to, attempt: moved.attempt, ticket: moved.ticket, problem: moved.last_problem },
  })
  return moved
}
