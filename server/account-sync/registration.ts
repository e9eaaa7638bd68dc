import { sql } from 'kysely'
import { isReused, noteDifference, registrationOf } from '../accounts/differences.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { lockAccount } from '../funding/withdrawable.ts'
import type { KnownAccount, PlatformList } from './platform-list.ts'

type Listed = { known: readonly KnownAccount[]; list: PlatformList }

/**
 * Asks staff about accounts whose number the platform gave to somebody else, whose money our member would see and move;
 * returns the numbers. It can happen before a comparison has seen the earlier account missing.
 */
export async function noteReused(system: System, platformId: string, { known, list }: Listed): Promise<string[]> {
  const reused: string[] = []
  for (const account of known) {
    const { account_id: accountId, platform_login: login } = account
    const at = list.accounts.get(login)
    if (!at || account.archived || !isReused(account, at)) continue
    reused.push(login)
    await inTransaction(system, async (tx) => {
      await lockAccount(tx, system, accountId)
      await noteDifference(tx, system, platformId, { kind: 'gone', reason: 'number_reused', login, accountId, at })
    })
  }
  return reused
}

const rowsAtOnce = 500

/**
 * Keeps the registration of accounts whose platform was not compared since they were stored. An archived one may have come
 * back as somebody else's: it was registered when we stored it, at the latest.
 */
export async function keepRegistrations(system: System, { known, list }: Listed): Promise<void> {
  const fresh = known.flatMap(({ account_id, platform_login, platform_registered_at, archived, created_at }) => {
    const at = list.accounts.get(platform_login)
    const registered = at && platform_registered_at === null ? registrationOf(at) : null
    if (!registered) return []
    return [{ account_id, registered: archived && registered > created_at ? created_at : registered }]
  })
  for (let first = 0; first < fresh.length; first += rowsAtOnce) {
    const some = fresh.slice(first, first + rowsAtOnce)
    await inTransaction(system, (tx) =>
      sql`
        update trading_accounts as account set platform_registered_at = seen.registered
        from unnest(${some.map((each) => each.account_id)}::uuid[],
          ${some.map((each) => each.registered)}::timestamptz[]) as seen (account_id, registered)
        where account.workspace_id = ${system.workspaceId}::uuid and account.account_id = seen.account_id
          and account.platform_registered_at is null`.execute(tx),
    )
  }
}
