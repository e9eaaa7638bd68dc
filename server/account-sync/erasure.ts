import { sql } from 'kysely'
import { lockInOrder } from '../accounts/differences.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { Erasure } from '../foundation/erasure.ts'

export const accountSyncErasure: Erasure = {
  after: forgetHolders,
  joined: {
    // Joined by login too: the holder may have been stored before the account was imported.
    account_differences: {
      ...{ owner: 'trading_accounts', by: ['platform_id', 'platform_login'] },
      ending: { do: 'apart', where: 'open differences stay, the holder named by the platform is removed' },
    },
  },
}

/**
 * Clears the holder that a platform reported for the member's accounts, and keeps the difference; a later comparison
 * leaves it empty (differences.ts). Runs after the accounts, in the common lock order (account-sync/decision.ts).
 */
async function forgetHolders(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  await lockInOrder(
    tx,
    actor,
    sql`(platform_id, platform_login) in (
      select platform_id, platform_login from trading_accounts
      where workspace_id = ${actor.workspaceId}::uuid and member_id = ${memberId}::uuid)`,
  )
  await sql`
    update account_differences as difference set holder = null, holder_email = null
    from trading_accounts as own
    where own.workspace_id = ${actor.workspaceId}::uuid and own.member_id = ${memberId}::uuid
      and difference.workspace_id = own.workspace_id and difference.platform_id = own.platform_id
      and difference.platform_login = own.platform_login`.execute(tx)
}
