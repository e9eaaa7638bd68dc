import { limits } from '@atrium/contract/limits.ts'
import type { Member, Staff } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { personOf } from '../own-sessions.ts'
import { ownedBy } from '../person.ts'

type Purpose = 'adding' | 'proof'

/** Keeps what the browser of this session was asked to sign. A newer question takes the older one's place. */
export async function keepPasskeyChallenge(
  tx: Tx,
  actor: Member | Staff,
  purpose: Purpose,
  challenge: string,
): Promise<void> {
  const expires_at = new Date(actor.context.clock.now().getTime() + limits.secondFactorMinutes * 60_000)
  const key = { workspace_id: actor.workspaceId, session_id: actor.sessionId, purpose }
  await tx
    .insertInto('passkey_challenges')
    .values({ ...key, ...ownedBy(personOf(actor)), challenge, expires_at })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'session_id', 'purpose']).doUpdateSet({ challenge, expires_at }),
    )
    .execute()
}

/** Takes the question away for good: an answer to it is good once. Null when there is none, or it is too old. */
export async function takePasskeyChallenge(tx: Tx, actor: Member | Staff, purpose: Purpose): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkey_challenges')
    .where('workspace_id', '=', actor.workspaceId)
    .where('session_id', '=', actor.sessionId)
    .where('purpose', '=', purpose)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at > actor.context.clock.now() ? row.challenge : null
}
