import { createHash } from 'node:crypto'
import { type Member, systemActor } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { sortedJson } from '../foundation/sorted-json.ts'
import { hashToken, makeToken } from './token.ts'

const retentionMs = 24 * 3_600_000
/** A form requests one for each submission; nobody submits three hundred in a quarter of an hour. */
const perMember: Limit = { name: 'unique-token', triesMax: 300, windowSeconds: 15 * 60 }

/** Creates the idempotency key that a create call must carry: the same key with the same body runs one task. */
export async function makeUniqueToken(member: Member, purpose: string): Promise<string> {
  await takeTry(systemActor(member.context, member.workspaceId), perMember, member.memberId)
  const token = makeToken()
  const now = member.context.clock.now()
  await inTransaction(member, async (tx) => {
    await dropExpired(tx, member, now)
    await tx
      .insertInto('nonces')
      .values({
        workspace_id: member.workspaceId,
        token_hash: hashToken(token),
        member_id: member.memberId,
        purpose,
        created_at: now,
        expires_at: new Date(now.getTime() + retentionMs),
      })
      .execute()
  })
  return token
}

/** Forms request keys without submitting, so expired ones are deleted. Skips rows that another call is deleting. */
async function dropExpired(tx: Tx, member: Member, now: Date): Promise<void> {
  const expired = tx
    .selectFrom('nonces')
    .select('token_hash')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('expires_at', '<=', now)
    .forUpdate()
    .skipLocked()
  await tx
    .deleteFrom('nonces')
    .where('workspace_id', '=', member.workspaceId)
    .where('token_hash', 'in', expired)
    .execute()
}

type Claim<Answer> = { earlier: Answer } | { earlier: null; keep(answer: Answer): Promise<void> }

/**
 * Claims the key inside the transaction of the task: of several concurrent calls one runs it, and the others wait here
 * and get its answer. A key with another body or purpose, or an expired one, is refused.
 */
export async function claimUniqueToken<Answer extends object>(
  tx: Tx,
  member: Member,
  claim: { token: string; purpose: string; body: unknown },
): Promise<Claim<Answer>> {
  const tokenHash = hashToken(claim.token)
  const row = await tx
    .selectFrom('nonces')
    .select(['body_hash', 'answer', 'purpose'])
    .where('workspace_id', '=', member.workspaceId)
    .where('token_hash', '=', tokenHash)
    .where('member_id', '=', member.memberId)
    .where('expires_at', '>', member.context.clock.now())
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.purpose !== claim.purpose) {
    refuse('nonce_unknown', 'This form is no longer valid. Please reload the page and try again.')
  }
  const bodyHash = hashBody(claim.body)
  if (row.body_hash && row.answer !== null) {
    if (!bodyHash.equals(row.body_hash)) refuse('nonce_reused', 'This form was already sent with other details.')
    return { earlier: row.answer as Answer }
  }
  const keep = async (answer: Answer): Promise<void> => {
    await tx
      .updateTable('nonces')
      .set({ body_hash: bodyHash, answer: JSON.stringify(answer) })
      .where('workspace_id', '=', member.workspaceId)
      .where('token_hash', '=', tokenHash)
      .execute()
  }
  return { earlier: null, keep }
}

/** Whether the task of this key is done. */
export async function isDone(
  tx: Tx,
  member: Member,
  { token, purpose }: { token: string; purpose: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('nonces')
    .select('created_at')
    .where('workspace_id', '=', member.workspaceId)
    .where('token_hash', '=', hashToken(token))
    .where('member_id', '=', member.memberId)
    .where('purpose', '=', purpose)
    .where('answer', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

function hashBody(body: unknown): Buffer {
  return createHash('sha256').update(sortedJson(body)).digest()
}
