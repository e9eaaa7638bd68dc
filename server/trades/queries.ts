import { type TradeOrder, type TradeSort, tradeSides } from '@atrium/contract/trades/calls.ts'
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import type { DB } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { type Page, reachableRowsMax } from '../foundation/database/paging.ts'

/** Filters for the trades of one account. Absent means any; an unknown value matches nothing. */
export type TradeFilter = {
  accountId: string
  symbol?: string | undefined
  side?: string | undefined
  entry?: string | undefined
  /** Epoch seconds, both ends included. */
  from?: number | undefined
  to?: number | undefined
}

export type Sorting = { sort: TradeSort; order: TradeOrder }
export type TradeShape = Awaited<ReturnType<typeof listTrades>>[number]

/** The platform's opening price; for an opening deal without one, its own price. */
export function openPriceOf(deal: TradeShape): string | null {
  return deal.open_price ?? (deal.entry === 0 ? deal.price : null)
}

/** The last year that the database can hold. */
const momentMax = Date.UTC(9999, 11, 31)

function momentOf(seconds: number): Date {
  return new Date(Math.min(Math.max(seconds * 1000, 0), momentMax))
}

type Where = ExpressionBuilder<DB & { deal: DB['trade_deals'] }, 'deal'>

function conditionsOf(where: Where, actor: Actor, filter: TradeFilter) {
  const { accountId, symbol, side, entry, from, to } = filter
  const conditions = [
    where('deal.workspace_id', '=', actor.workspaceId),
    where('deal.account_id', '=', accountId),
    // The history also contains balance and credit entries, which are not trades.
    where('deal.is_trade', '=', true),
  ]
  if (actor.kind === 'member') conditions.push(where('deal.member_id', '=', actor.memberId))
  if (symbol !== undefined) conditions.push(where('deal.symbol', '=', symbol))
  if (side !== undefined) conditions.push(where('deal.cmd', '=', tradeSides.get(side) ?? ''))
  if (entry !== undefined) conditions.push(entry === 'in' ? where('deal.entry', '=', 0) : where('deal.entry', '>', 0))
  if (from !== undefined) conditions.push(where('deal.at', '>=', momentOf(from)))
  if (to !== undefined) conditions.push(where('deal.at', '<=', momentOf(to)))
  return where.and(conditions)
}

const sortColumns = {
  time: sql.ref('deal.at'),
  symbol: sql.ref('deal.symbol'),
  side: sql.ref('deal.cmd'),
  volume: sql.ref('deal.volume'),
  price: sql.ref('deal.price'),
  profit: sql.ref('deal.profit'),
} as const satisfies Record<TradeSort, RawBuilder<unknown>>

function selectDeals(tx: Tx, actor: Actor, filter: TradeFilter) {
  return tx
    .selectFrom('trade_deals as deal')
    .selectAll('deal')
    .where((where) => conditionsOf(where, actor, filter))
}

function orderOf({ sort, order }: Sorting): RawBuilder<unknown> {
  const way = order === 'asc' ? sql`asc` : sql`desc`
  if (sort === 'time') return sql`deal.at ${way}, deal.deal_id ${way}`
  return sql`${sortColumns[sort]} ${way}, deal.at desc, deal.deal_id desc`
}

function selectPage(tx: Tx, actor: Actor, filter: TradeFilter, page: Page & Sorting) {
  return selectDeals(tx, actor, filter).orderBy(orderOf(page)).limit(page.limit).offset(page.offset)
}

/** One page of an account's trades. Equal rows come newest first. */
export function listTrades(tx: Tx, actor: Actor, filter: TradeFilter, page: Page & Sorting) {
  return selectPage(tx, actor, filter, page).execute()
}

/** The newest trades of each account, in one statement. */
export function listTradesOfAccounts(
  tx: Tx,
  actor: Actor,
  accountIds: readonly string[],
  perAccount: number,
): Promise<TradeShape[]> {
  return tx
    .selectFrom(sql<{ account_id: string }>`unnest(${[...accountIds]}::uuid[])`.as<'wanted'>(sql`wanted (account_id)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('trade_deals as deal')
          .selectAll('deal')
          .where('deal.workspace_id', '=', actor.workspaceId)
          .whereRef('deal.account_id', '=', 'wanted.account_id')
          .where('deal.is_trade', '=', true)
          .$if(actor.kind === 'member', (own) =>
            own.where('deal.member_id', '=', actor.kind === 'member' ? actor.memberId : ''),
          )
          .orderBy('deal.at', 'desc')
          .orderBy('deal.deal_id', 'desc')
          .limit(perAccount)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .selectAll('newest')
    .execute()
}

/** Exact up to the last reachable page. */
export async function countTrades(tx: Tx, actor: Actor, filter: TradeFilter): Promise<number> {
  const counted = await tx
    .selectFrom((db) =>
      db
        .selectFrom('trade_deals as deal')
        .select(sql`1`.as('one'))
        .where((where) => conditionsOf(where, actor, filter))
        .limit(reachableRowsMax)
        .as('matching'),
    )
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return counted.count
}

export type TotalsShape = Awaited<ReturnType<typeof sumTrades>>

/** Exact sums by the database over all matching trades. */
export function sumTrades(tx: Tx, actor: Actor, filter: TradeFilter) {
  return selectSums(tx, actor, filter).executeTakeFirstOrThrow()
}

/**
 * A page with the sums over all matching trades. One statement, since deals are stored meanwhile and a second one would
 * see others.
 */
export async function listTradesWithSums(tx: Tx, actor: Actor, filter: TradeFilter, page: Page & Sorting) {
  const rows = await tx
    .selectFrom(selectSums(tx, actor, filter).as('sums'))
    .leftJoin(selectPage(tx, actor, filter, page).as('deal'), (join) => join.onTrue())
    .selectAll('deal')
    .select(['sums.count', 'sums.net', 'sums.fee as sum_fee', 'sums.volume as sum_volume'])
    .select(['sums.profit as sum_profit', 'sums.swap as sum_swap', 'sums.commission as sum_commission'])
    .orderBy(orderOf(page))
    .execute()
  const [sums] = rows
  if (!sums) throw new Error('An aggregate without groups has one row')
  const { count, net, sum_fee: fee, sum_volume: volume, sum_profit: profit, sum_swap: swap } = sums
  return {
    deals: rows.filter((row): row is typeof row & TradeShape => row.deal_id !== null),
    sums: { count, net, fee, volume, profit, swap, commission: sums.sum_commission },
  }
}

function selectSums(tx: Tx, actor: Actor, filter: TradeFilter) {
  return tx
    .selectFrom('trade_deals as deal')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string>`coalesce(sum(deal.volume), 0)`.as('volume'),
      sql<string>`coalesce(sum(deal.profit), 0)`.as('profit'),
      sql<string>`coalesce(sum(deal.swap), 0)`.as('swap'),
      sql<string>`coalesce(sum(deal.commission), 0)`.as('commission'),
      sql<string>`coalesce(sum(deal.fee), 0)`.as('fee'),
      sql<string>`coalesce(sum(deal.profit + deal.swap + deal.commission + deal.fee), 0)`.as('net'),
    ])
    .where((where) => conditionsOf(where, actor, filter))
}

/** The symbols of an account, by jumping from one to the next on the index instead of reading all trades. */
export async function listSymbols(tx: Tx, actor: Actor, accountId: string): Promise<string[]> {
  const mine = sql`workspace_id = ${actor.workspaceId}::uuid and account_id = ${accountId}::uuid and is_trade`
  const found = await sql<{ symbol: string }>`
    with recursive hop as (
      (select symbol from trade_deals where ${mine} order by symbol limit 1)
      union all
      select (select symbol from trade_deals where ${mine} and symbol > hop.symbol order by symbol limit 1)
      from hop where hop.symbol is not null)
    select symbol from hop where symbol is not null limit ${symbolsMax}`.execute(tx)
  return found.rows.map(({ symbol }) => symbol)
}

const symbolsMax = 500

type Place = { at: Date; deal_id: string }

/** The next page of an export, newest first. */
export function listTradesBefore(tx: Tx, actor: Actor, filter: TradeFilter, before: Place | null, count: number) {
  return selectDeals(tx, actor, filter)
    .$if(before !== null, (chosen) =>
      // Implied by the second condition, but it can use the index: with row security a row comparison is not pushed
      // down to it.
      chosen.where(sql<boolean>`deal.at <= ${before?.at}
        and (deal.at, deal.deal_id) < (${before?.at}, ${before?.deal_id}::numeric)`),
    )
    .orderBy('deal.at', 'desc')
    .orderBy('deal.deal_id', 'desc')
    .limit(count)
    .execute()
}

/** The platform's comments on ledger entries, by deal id. */
export async function readLedgerComments(
  tx: Tx,
  actor: Actor,
  entries: readonly { account_id: string; ticket: string }[],
): Promise<Map<string, string>> {
  const rows = await sql<{ account_id: string; deal_id: string; comment: string }>`
    select account_id, deal_id::text, comment from trade_deals
    where workspace_id = ${actor.workspaceId}::uuid and (account_id, deal_id) in (
      select * from unnest(${entries.map((entry) => entry.account_id)}::uuid[],
        ${entries.map((entry) => entry.ticket)}::numeric[]))`.execute(tx)
  return new Map(rows.rows.map((row) => [`${row.account_id}/${row.deal_id}`, row.comment]))
}

/** A trade with its account's platform type and currency. */
export type TradeRecordShape = { deal: TradeShape; platform_type: string; currency: string }
