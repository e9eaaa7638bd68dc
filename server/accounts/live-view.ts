import type { LiveAccount } from '@atrium/contract/accounts/live-metrics.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import type { Clock } from '../foundation/clock.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { ReadAccount } from './account-metrics.ts'
import { isLive } from './sync.ts'

export type WatchedRow = Awaited<ReturnType<typeof readWatched>>[number]
/** An account as sent to its owner. */
export type Watched = { memberId: string; view: LiveAccount }

/** The accounts of watching members with their stored metrics. */
export function readWatched(tx: Tx, system: System, memberIds: readonly string[]) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'member_id', 'platform_id', 'platform_login', 'currency', 'leverage', 'synced_at'])
    .select(['balance', 'equity', 'credit', 'floating', 'margin', 'margin_free', 'margin_level'])
    .select(['archived', 'asked_at', 'asked_by'])
    .where('workspace_id', '=', system.workspaceId)
    .where(sql<boolean>`member_id = any(${memberIds}::uuid[])`)
    .where('deleted', '=', false)
    .execute()
}

export function viewOf(row: WatchedRow, clock: Clock): LiveAccount {
  const money = (amount: string | null) => (amount === null ? null : toScale(amount, row.currency))
  return {
    _id: row.account_id,
    balance: money(row.balance),
    equity: money(row.equity),
    credit: money(row.credit),
    floating_pnl: money(row.floating),
    margin: money(row.margin),
    margin_free: money(row.margin_free),
    margin_level: row.margin_level,
    leverage: row.leverage,
    balance_as_of: row.synced_at?.getTime() ?? null,
    balance_is_live: isLive(row.synced_at, clock),
  }
}

/** The account with the platform's latest answer, before it is read back from the database. */
export function viewOfState({ account_id, currency, state }: ReadAccount, clock: Clock): LiveAccount {
  const money = (amount: string) => toScale(amount, currency)
  return {
    _id: account_id,
    balance: money(state.balance),
    equity: money(state.equity),
    credit: money(state.credit),
    floating_pnl: money(state.floating),
    margin: money(state.margin),
    margin_free: money(state.marginFree),
    margin_level: state.marginLevel,
    leverage: state.leverage,
    balance_as_of: clock.now().getTime(),
    balance_is_live: true,
  }
}
