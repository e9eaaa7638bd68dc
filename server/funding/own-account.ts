import { isNumberReused } from '../accounts/differences.ts'
import type { Actor, Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** The member's own account of this id if money may be moved on it: neither deleted, archived nor read-only. */
export function selectOwnAccount(tx: Tx, member: Member, accountId: string) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'currency', 'live_account', 'platform_id', 'platform_login'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('account_id', '=', accountId)
    .where('deleted', '=', false)
    .where('archived', '=', false)
    .where('enable_read_only', '=', false)
}

/**
 * Whether an account is archived or deleted, or its number is somebody else's now, so that no money is moved on it. Staff
 * and the program only: members do not read what a comparison found.
 */
export async function isClosedAccount(tx: Tx, actor: Actor, accountId: string): Promise<boolean> {
  const { archived, deleted, ...numbered } = await tx
    .selectFrom('trading_accounts')
    .select(['archived', 'deleted', 'platform_id', 'platform_login'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return archived || deleted || (await isNumberReused(tx, actor, numbered))
}
