import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { activeMember } from '../foundation/database/member-lock.ts'
import type { Deal, Utc } from '../trading-platforms/contract.ts'

/** The owner of the deals. */
export type Holder = { account_id: string; member_id: string }
export type Window = { from: Utc; to: Utc }

/** Rows for each statement. */
export const dealsAtOnce = 500

const columns = sql.raw(
  `deal_id numeric, order_id text, position_id text, is_trade boolean, cmd text, entry smallint, symbol text,
   volume numeric, price numeric, open_price numeric, sl numeric, tp numeric, profit numeric, swap numeric,
   commission numeric, fee numeric, at double precision, opened_at double precision, state smallint, reason integer,
   comment text`,
)

/** Columns that the platform may correct later. */
const corrected = [
  'order_id',
  'position_id',
  'is_trade',
  'cmd',
  'entry',
  'symbol',
  'volume',
  'price',
  'open_price',
  'sl',
  'tp',
  'profit',
  'swap',
  'commission',
  'fee',
  'at',
  'state',
  'reason',
  'comment',
]
const stored = sql.join(corrected.map((name) => sql.ref(`trade_deals.${name}`)))
const incoming = sql.join(corrected.map((name) => sql.ref(`excluded.${name}`)))
const takenOver = sql.join(corrected.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))

/**
 * Stores the platform's deals, replacing rows with the same id and leaving unchanged ones untouched; amounts stay in
 * the platform's text form, so that no digit or trailing zero is lost. Of a deal that is listed twice the last one
 * counts, since one statement cannot store a row twice.
 */
export async function keepDeals(tx: Tx, system: System, holder: Holder, deals: readonly Deal[]): Promise<void> {
  const rows = [...new Map(deals.map((deal) => [deal.id, rowOf(deal)])).values()]
  await sql`
    insert into trade_deals (workspace_id, account_id, member_id, deal_id, order_id, position_id, is_trade, cmd, entry,
      symbol, volume, price, open_price, sl, tp, profit, swap, commission, fee, at, opened_at, state, reason, comment)
    select ${system.workspaceId}::uuid, ${holder.account_id}::uuid, ${holder.member_id}::uuid, deal_id, order_id,
      position_id, is_trade, cmd, entry, symbol, volume, price, open_price, sl, tp, profit, swap, commission, fee,
      to_timestamp(at), to_timestamp(opened_at), state, reason, comment
    from ${activeMember(system, holder.member_id)},
      jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as incoming (${columns})
    on conflict (workspace_id, account_id, deal_id) do update
      set ${takenOver}, opened_at = coalesce(excluded.opened_at, trade_deals.opened_at)
      where (${stored}) is distinct from (${incoming})`.execute(tx)
}

function rowOf(deal: Deal) {
  const { id, order, position, isTrade, cmd, entry, symbol, hundredths, price, openPrice, sl, tp } = deal
  const { profit, swap, commission, fee, at, openedAt, state, reason, comment } = deal
  return {
    ...{ deal_id: id, order_id: order, position_id: position, is_trade: isTrade, cmd, entry, symbol },
    ...{ volume: hundredths, price, open_price: openPrice, sl, tp, profit, swap, commission, fee },
    ...{ at, opened_at: openedAt, state, reason, comment },
  }
}

/** Removes deals that the platform no longer has: a dealer may delete or move a deal. */
export async function removeGone(tx: Tx, system: System, holder: Holder, read: Window & { seen: string[] }) {
  await sql`
    delete from trade_deals
    where workspace_id = ${system.workspaceId}::uuid and account_id = ${holder.account_id}::uuid
      and at between to_timestamp(${read.from}) and to_timestamp(${read.to})
      and deal_id <> all (${read.seen}::numeric[])`.execute(tx)
}
