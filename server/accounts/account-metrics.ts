import { toScale } from '@atrium/contract/money/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { AccountState, RegisteredAccount } from '../trading-platforms/contract.ts'
import { storedEveryMs } from './account-metrics-history.ts'
import { isReused } from './differences.ts'

/** The columns needed to ask the platform about an account. */
export type AskedAccount = {
  account_id: string
  platform_id: string
  platform_login: string
  platform_registered_at: Date | null
  currency: string
}
/** The account with its state as the platform reported it. */
export type ReadAccount = AskedAccount & { state: AccountState }

/**
 * Accounts with a state; one whose login the platform does not know, gave to somebody else or keeps in another currency
 * leaves its stored metrics as they are.
 */
export function withStates<Account extends AskedAccount>(
  accounts: readonly Account[],
  states: ReadonlyMap<string, RegisteredAccount>,
): (Account & { state: AccountState })[] {
  return accounts.flatMap((account) => {
    const state = states.get(account.platform_login)
    if (!state || state.currency !== account.currency || isReused(account, state)) return []
    return [{ ...account, state }]
  })
}

type Metric = 'balance' | 'equity' | 'floating' | 'credit' | 'margin' | 'marginFree'

/**
 * Stores metrics in one statement for any number of accounts, and a history row per account every five minutes. Locks
 * rows in order of their ids, so that concurrent writers do not deadlock.
 */
export async function keepAccountMetrics(tx: Tx, actor: Actor, read: readonly ReadAccount[]): Promise<void> {
  if (read.length > 0) await writeAccountMetrics(tx, actor, { read, isDue: sql`true`, asked_at: sql`account.asked_at` })
}

type Asker = { holder: string; renewedAfterMs: number }

/**
 * Like `keepAccountMetrics`, for readings every second: unchanged metrics are written only from time to time, without
 * waiting for the disk, since a crash loses at most one second. Renews the caller's claims, and returns for each written
 * row whether the claim is still held.
 */
export async function refreshAccountMetrics(
  tx: Tx,
  actor: Actor,
  read: readonly ReadAccount[],
  { holder, renewedAfterMs }: Asker,
): Promise<Map<string, boolean>> {
  if (read.length === 0) return new Map()
  const now = actor.context.clock.now()
  const old = new Date(now.getTime() - renewedAfterMs)
  const names = ['balance', 'equity', 'floating', 'credit', 'margin', 'margin_free', 'margin_level', 'leverage']
  const of = (table: string) => sql.join(names.map((name) => sql.ref(`${table}.${name}`)))
  const isDue = sql`account.synced_at is null or account.asked_at is null or account.synced_at <= ${old}
    or account.asked_at <= ${old} or account.asked_at > ${now} or (${of('account')}) is distinct from (${of('read')})`
  const asked_at = sql`case when account.asked_by = ${holder} then ${now}::timestamptz else account.asked_at end`
  // Sent in one round trip.
  const [, written] = await Promise.all([
    sql`set local synchronous_commit = off`.execute(tx),
    writeAccountMetrics(tx, actor, { read, isDue, asked_at }),
  ])
  return new Map(written.map(({ account_id, asked_by }) => [account_id, asked_by === holder]))
}

type Writing = { read: readonly ReadAccount[]; isDue: RawBuilder<unknown>; asked_at: RawBuilder<unknown> }
type Written = { account_id: string; asked_by: string | null }

async function writeAccountMetrics(tx: Tx, actor: Actor, { read, isDue, asked_at }: Writing): Promise<Written[]> {
  const { workspaceId, context } = actor
  const now = context.clock.now()
  const span = `${storedEveryMs} milliseconds`
  const values = (name: Metric) => sql`${read.map((each) => toScale(each.state[name], each.currency))}::numeric[]`
  const binned = (moment: RawBuilder<unknown>) => sql`date_bin(${span}::interval, ${moment}, 'epoch'::timestamptz)`
  const written = await sql<Written>`
    with read as (
      select * from unnest(${read.map((each) => each.account_id)}::uuid[], ${values('balance')}, ${values('equity')},
        ${values('floating')}, ${values('credit')}, ${values('margin')}, ${values('marginFree')},
        ${read.map((each) => each.state.marginLevel)}::numeric[], ${read.map((each) => each.state.leverage)}::int[])
        as read (account_id, balance, equity, floating, credit, margin, margin_free, margin_level, leverage)
    ), held as (
      select account.account_id, account.member_id, account.synced_at
      from trading_accounts as account join read using (account_id)
      where account.workspace_id = ${workspaceId} and (${isDue})
      order by account.account_id for no key update of account
    ), recorded as (
      insert into account_figures (workspace_id, account_id, member_id, at, balance, equity)
      select ${workspaceId}, account_id, member_id, ${binned(sql`${now}::timestamptz`)}, balance, equity
      from read join held using (account_id)
      where synced_at is null or ${binned(sql`synced_at`)} <> ${binned(sql`${now}::timestamptz`)}
      on conflict (workspace_id, account_id, at) do nothing
    )
    update trading_accounts as account set balance = read.balance, equity = read.equity, floating = read.floating,
      credit = read.credit, margin = read.margin, margin_free = read.margin_free, margin_level = read.margin_level,
      leverage = read.leverage, synced_at = ${now}, asked_at = ${asked_at}
    from read join held using (account_id)
    where account.workspace_id = ${workspaceId} and account.account_id = read.account_id
    returning account.account_id, account.asked_by
  `.execute(tx)
  return written.rows
}
