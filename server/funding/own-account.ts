import type { Member } from '../foundation/actor.ts'
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
