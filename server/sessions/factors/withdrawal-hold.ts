import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'

/**
 * Until when nothing is paid out to this member, or null. Whoever took over a mailbox, or had a factor, email or phone changed, has a
 * day less than its owner needs to read the mail about it. Withdrawals ask in the transaction that would make, approve or pay one.
 */
export async function withdrawalsHeldUntil(tx: Tx, actor: Actor, memberId: string): Promise<Date | null> {
  const hours = await readHoldHours(tx, actor)
  const since = hours === null ? null : await lastShake(tx, actor, memberId)
  if (hours === null || !since) return null
  const until = new Date(since.getTime() + hours * 3_600_000)
  return until > actor.context.clock.now() ? until : null
}

/** For how long such a change holds withdrawals; null where this brokerage holds none. */
export async function readHoldHours(tx: Tx, actor: Actor): Promise<number | null> {
  const { settings } = await readWorkspace(tx, actor)
  return settings.hold_withdrawals ? settings.withdrawal_hold_hours : null
}

/** The last moment at which the password, the name, the email or the phone became another one, or a factor was taken away. */
async function lastShake(tx: Tx, actor: Actor, memberId: string): Promise<Date | null> {
  const own = <Column extends string>(at: Column) => [`${at} as at`] as const
  const found = await tx
    .selectFrom('password_resets')
    .select(own('used_at'))
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('used_at', 'is not', null)
    .where('purpose', '=', 'reset')
    .unionAll(
      tx
        .selectFrom('totp_factors')
        .select(own('removed_at'))
        .where('workspace_id', '=', actor.workspaceId)
        .where('member_id', '=', memberId)
        .where('removed_at', 'is not', null),
    )
    .unionAll(
      tx
        .selectFrom('passkeys')
        .select(own('removed_at'))
        .where('workspace_id', '=', actor.workspaceId)
        .where('member_id', '=', memberId)
        .where('removed_at', 'is not', null),
    )
    .unionAll(
      tx
        .selectFrom('members')
        .select(own('password_changed_at'))
        .where('workspace_id', '=', actor.workspaceId)
        .where('member_id', '=', memberId)
        .where('password_changed_at', 'is not', null),
    )
    .unionAll(
      tx
        .selectFrom('members')
        .select(own('details_changed_at'))
        .where('workspace_id', '=', actor.workspaceId)
        .where('member_id', '=', memberId)
        .where('details_changed_at', 'is not', null),
    )
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.at ?? null
}
