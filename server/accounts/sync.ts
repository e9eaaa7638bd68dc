import type { Member } from '../foundation/actor.ts'
import type { Clock } from '../foundation/clock.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { waitAtMost } from '../foundation/wait-at-most.ts'
import { describeProblem } from '../observability/log.ts'
import type { RegisteredAccount } from '../trading-platforms/contract.ts'
import { type AskedAccount, keepAccountMetrics, withStates } from './account-metrics.ts'

/** Metrics younger than this count as live. */
const liveForMs = 15_000
/** Concurrent requests of several tabs and lists share one call to the platform. */
const freshForMs = 1_000
/** How long a member waits for the platform before getting the last known metrics with their age. */
const waitMsMax = 4_000

/** A time ahead of ours says nothing: our clock was set back since. */
export function isLive(syncedAt: Date | null, clock: Clock): boolean {
  return syncedAt !== null && Math.abs(clock.now().getTime() - syncedAt.getTime()) < liveForMs
}

/**
 * Reads balance, equity and floating P&L of the member's accounts from their platforms and stores them. Never throws
 * because of a platform: an account that could not be read keeps its last known metrics and their age.
 */
export async function syncAccounts(member: Member, accountIds: string[]): Promise<void> {
  if (accountIds.length === 0) return
  const now = member.context.clock.now()
  const stale = new Date(now.getTime() - freshForMs)
  const rows = await reading(member, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select(['account_id', 'platform_id', 'platform_login', 'platform_registered_at', 'currency'])
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('account_id', 'in', accountIds)
      .where('deleted', '=', false)
      .where((where) =>
        where.or([where('synced_at', 'is', null), where('synced_at', '<', stale), where('synced_at', '>', now)]),
      )
      .execute(),
  )
  const byPlatform = Map.groupBy(rows, (row) => row.platform_id)
  await Promise.all([...byPlatform].map(([platformId, own]) => syncPlatform(member, platformId, own)))
}

async function syncPlatform(member: Member, platformId: string, rows: AskedAccount[]): Promise<void> {
  const states = await waitAtMost(waitMsMax, readStates(member, platformId, rows))
  if (states) await inTransaction(member, (tx) => keepAccountMetrics(tx, member, withStates(rows, states)))
}

type States = Map<string, RegisteredAccount>

async function readStates(member: Member, platformId: string, rows: AskedAccount[]): Promise<States | null> {
  try {
    const link = await member.context.platforms.link(member, platformId)
    if (!link) return null
    return await link.gateway.readAccounts(rows.map((row) => row.platform_login))
  } catch (problem) {
    member.context.log.warn({ err: describeProblem(problem), platform: platformId }, 'accounts not synced')
    return null
  }
}
