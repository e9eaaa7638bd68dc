import { sql } from 'kysely'
import { lockInOrder } from '../accounts/differences.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { Erasure } from '../foundation/erasure.ts'

export const accountSyncErasure: Erasure = {
  after: forgetHolders,
  joined: {
    // By the number too: who stood at the platform was noted before the account was taken in.
    account_differences: {
      ...{ owner: 'trading_accounts', by: ['platform_id', 'platform_login'] },
      ending: { do: 'apart', where: 'that something is to be settled stays, whom the platform names goes' },
    },
  },
}

/**
 * Whom a platform names at the member's accounts, as long as something about one is to be settled; that it is stays. Noted anew
 * it stays empty (differences.ts). Of an account that a platform has and we have not nobody knows here whose it is. After the
 * accounts themselves, as everybody takes them (account-sync/decision.ts).
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
