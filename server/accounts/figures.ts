import { toScale } from '@atrium/contract/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import type { AccountState } from '../trading-platforms/contract.ts'
import { keptEveryMs } from './figure-history.ts'

/** An account as far as its platform has to know of it. */
export type AskedAccount = { account_id: string; platform_id: string; platform_login: string; currency: string }
/** With what the platform said of it. */
export type ReadAccount = AskedAccount & { state: AccountState }

/** Those that the platform knows; a login that it does not know keeps what was known. */
export function withStates<Account extends AskedAccount>(
  accounts: readonly Account[],
  states: ReadonlyMap<string, AccountState>,
): (Account & { state: AccountState })[] {
  return accounts.flatMap((account) => {
    const state = states.get(account.platform_login)
    return state ? [{ ...account, state }] : []
  })
}

type Figure = 'balance' | 'equity' | 'floating' | 'credit' | 'margin' | 'marginFree'

/**
 * Keeps what platforms said, in one statement however many accounts, and of each account once in five minutes how it stood,
 * for the chart. Rows are locked in the order of their ids, so that two who keep figures of the same accounts never wait
 * for each other in a circle.
 */
export async function keepFigures(tx: Tx, actor: Actor, read: readonly ReadAccount[]): Promise<void> {
  if (read.length === 0) return
  const { workspaceId, ground } = actor
  const now = ground.clock.now()
  const span = `${keptEveryMs} milliseconds`
  const figures = (name: Figure) => sql`${read.map((each) => toScale(each.state[name], each.currency))}::numeric[]`
  const binned = (moment: RawBuilder<unknown>) => sql`date_bin(${span}::interval, ${moment}, 'epoch'::timestamptz)`
  await sql`
    with read as (
      select * from unnest(${read.map((each) => each.account_id)}::uuid[], ${figures('balance')}, ${figures('equity')},
        ${figures('floating')}, ${figures('credit')}, ${figures('margin')}, ${figures('marginFree')},
        ${read.map((each) => each.state.marginLevel)}::numeric[], ${read.map((each) => each.state.leverage)}::int[])
        as read (account_id, balance, equity, floating, credit, margin, margin_free, margin_level, leverage)
    ), held as (
      select account_id, member_id, synced_at from trading_accounts
      where workspace_id = ${workspaceId} and account_id in (select account_id from read)
      order by account_id for no key update
    ), kept as (
      insert into account_figures (workspace_id, account_id, member_id, at, balance, equity)
      select ${workspaceId}, account_id, member_id, ${binned(sql`${now}::timestamptz`)}, balance, equity
      from read join held using (account_id)
      where synced_at is null or ${binned(sql`synced_at`)} <> ${binned(sql`${now}::timestamptz`)}
      on conflict (workspace_id, account_id, at) do nothing
    )
    update trading_accounts as account set balance = read.balance, equity = read.equity, floating = read.floating,
      credit = read.credit, margin = read.margin, margin_free = read.margin_free, margin_level = read.margin_level,
      leverage = read.leverage, synced_at = ${now}
    from read join held using (account_id)
    where account.workspace_id = ${workspaceId} and account.account_id = read.account_id
  `.execute(tx)
}
