import { createHash } from 'node:crypto'
import { type Member, systemActor } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { sortedJson } from '../foundation/sorted-json.ts'
import { hashToken, makeToken } from './token.ts'

const keptForMs = 24 * 3_600_000
/** Each form takes one for each thing that it sends; nobody fills in three hundred forms in a quarter of an hour. */
const perMember: Limit = { name: 'unique-token', triesMax: 300, windowSeconds: 15 * 60 }

/** Makes the token that a create call must carry: the same token with the same body is one task, however often sent. */
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
        expires_at: new Date(now.getTime() + keptForMs),
      })
      .execute()
  })
  return token
}

/** Each form asks for a token, sent or not: a member's rows must not grow for ever. What another call is dropping is left to it. */
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
 * Claims the token inside the transaction that does the task. Of any number at the same instant one does it; the others
 * wait here and get its answer. The same token with another body, for another purpose, or too old is refused.
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

/** Whether what this token was taken for is done. */
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
