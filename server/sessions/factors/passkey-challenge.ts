import { limits } from '@atrium/contract/limits.ts'
import type { Member, Staff } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { personOf } from '../own-sessions.ts'
import { ownedBy } from '../person.ts'

type Purpose = 'adding' | 'proof'

/** Stores the passkey challenge of this session, replacing an older one. */
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

/** Deletes and returns the challenge, so that it is answered once. Null when missing or expired. */
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
