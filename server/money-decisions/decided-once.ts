import { createHash } from 'node:crypto'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'

/** The retention of the members' form keys (sessions/unique-token.ts), which share the table. */
const retentionMs = 24 * 3_600_000

/**
 * Whether this staff member already took this decision under this idempotency key, whatever became of it since;
 * otherwise consumes the key in the deciding transaction. The caller holds the lock on the row being decided.
 */
export async function isRepeated(tx: Tx, staff: Staff, memberId: string): Promise<boolean> {
  const { decision } = staff
  if (!decision) return false
  const now = staff.context.clock.now()
  const token_hash = createHash('sha256').update(`${staff.staffId}/${decision.key}`).digest()
  const taken = await tx
    .insertInto('nonces')
    .values({
      workspace_id: staff.workspaceId,
      token_hash,
      member_id: memberId,
      purpose: 'desk_decision',
      body_hash: decision.bodyHash,
      answer: '{}',
      created_at: now,
      expires_at: new Date(now.getTime() + retentionMs),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'token_hash']).doNothing())
    .returning('purpose')
    .executeTakeFirst()
  if (taken) return false
  const { body_hash } = await tx
    .selectFrom('nonces')
    .select('body_hash')
    .where('workspace_id', '=', staff.workspaceId)
    .where('token_hash', '=', token_hash)
    .executeTakeFirstOrThrow()
  if (!body_hash?.equals(decision.bodyHash)) refuse('nonce_reused', moneyDecisionTexts.otherDecision)
  return true
}
