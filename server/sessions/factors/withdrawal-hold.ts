import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'

/**
 * When the member's withdrawal hold ends, or null: after a change of password, factor, email or phone, the owner has a
 * day to read the mail about it. Withdrawals check this in the transaction that requests, approves or pays one.
 */
export async function withdrawalsHeldUntil(tx: Tx, actor: Actor, memberId: string): Promise<Date | null> {
  const hours = await readHoldHours(tx, actor)
  const since = hours === null ? null : await lastShake(tx, actor, memberId)
  if (hours === null || !since) return null
  const until = new Date(since.getTime() + hours * 3_600_000)
  return until > actor.context.clock.now() ? until : null
}

/** How long such a change holds withdrawals; null where the brokerage turned the hold off. */
export async function readHoldHours(tx: Tx, actor: Actor): Promise<number | null> {
  const { settings } = await readWorkspace(tx, actor)
  return settings.hold_withdrawals ? settings.withdrawal_hold_hours : null
}

/** When password, name, email or phone last changed, or a factor was removed. */
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
