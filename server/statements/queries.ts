import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { zoneInDatabase } from '../foundation/days.ts'

/** Credit is lent by the brokerage and not part of the balance. */
const noBalance = ['OP_CREDIT', 'OP_SO_COMPENSATION_CREDIT']

export type StatementAccount = NonNullable<Awaited<ReturnType<typeof findAccount>>>

export function findAccount(tx: Tx, member: Member, accountId: string) {
  return tx
    .selectFrom('trading_accounts as account')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .select(['account.account_id', 'account.platform_id', 'account.platform_login', 'account.currency'])
    .select(['account.live_account', 'account.archived', 'account.created_at', 'account.balance', 'account.synced_at'])
    .select('platform.name as platform_name')
    .where('account.workspace_id', '=', member.workspaceId)
    .where('account.member_id', '=', member.memberId)
    .where('account.account_id', '=', accountId)
    .where('account.deleted', '=', false)
    .executeTakeFirst()
}

export function readHolder(tx: Tx, member: Member) {
  return tx
    .selectFrom('members')
    .select(['first_name', 'last_name', 'customer_number', 'time_zone'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
}

export type Period = { from: Date; to: Date }

/** The month in the member's time zone; the database applies daylight saving changes. */
export async function periodOf(tx: Tx, month: string, timeZone: string): Promise<Period> {
  const zone = zoneInDatabase(timeZone)
  const found = await sql<Period>`
    select (${`${month}-01`}::timestamp at time zone ${zone}) as "from",
      ((${`${month}-01`}::timestamp + interval '1 month') at time zone ${zone}) as "to"`.execute(tx)
  const [period] = found.rows
  if (!period) throw new Error('A month has a beginning and an end')
  return period
}

/** The account's earliest known moment, which can precede its row here. */
export async function firstMoment(tx: Tx, member: Member, account: StatementAccount): Promise<Date> {
  const first = await tx
    .selectFrom('trade_deals')
    .select('at')
    .where('workspace_id', '=', member.workspaceId)
    .where('account_id', '=', account.account_id)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return first && first.at < account.created_at ? first.at : account.created_at
}

export async function balanceBefore(tx: Tx, member: Member, accountId: string, before: Date): Promise<string> {
  const { balance } = await tx
    .selectFrom('trade_deals')
    .select(sql<string>`coalesce(sum(profit + swap + commission + fee), 0)::text`.as('balance'))
    .where('workspace_id', '=', member.workspaceId)
    .where('account_id', '=', accountId)
    .where('cmd', 'not in', noBalance)
    .where('at', '<', before)
    .executeTakeFirstOrThrow()
  return balance
}

export type Entry = {
  at: Date
  deal_id: string | null
  cmd: string
  amount: string
  /** For a day's trades: the number closed. */
  closed: number
  ticket: string | null
}

/** Single bookings beyond this number in a month become one line. */
export const entriesMax = 5_000

type Asked = Period & { accountId: string }

/** The bookings of a period that count for the balance. */
const bookingsOf = ({ workspaceId }: Member, { accountId, from, to }: Asked) => sql`
  select at, deal_id, is_trade, entry, cmd, profit + swap + commission + fee as amount from trade_deals
  where workspace_id = ${workspaceId}::uuid and account_id = ${accountId}::uuid
    and at >= ${from} and at < ${to} and cmd <> all (${noBalance}::text[])`

export type Ledger = { opening: string; paidIn: string; paidOut: string; traded: string; entries: Entry[] }
type LedgerRow = Omit<Ledger, 'entries'> & (Entry | Record<keyof Entry, null>)

/**
 * The opening balance and the sums of all bookings, however many of them are listed, with the entries: single bookings that moved money,
 * unlike a cancelled order, with the ticket of a portal transaction, and one entry for each day's trades. One statement, since deals are
 * stored meanwhile and each statement would see others.
 */
export async function readLedger(
  tx: Tx,
  member: Member,
  { timeZone, ...asked }: Asked & { timeZone: string },
): Promise<Ledger> {
  const { rows } = await sql<LedgerRow>`
    with before as (
      select coalesce(sum(profit + swap + commission + fee), 0)::text as opening from trade_deals
      where workspace_id = ${member.workspaceId}::uuid and account_id = ${asked.accountId}::uuid
        and at < ${asked.from} and cmd <> all (${noBalance}::text[])),
    deal as (${bookingsOf(member, asked)}),
    sums as (
      select coalesce(sum(amount) filter (where not is_trade and amount > 0), 0)::text as "paidIn",
        coalesce(sum(amount) filter (where not is_trade and amount < 0), 0)::text as "paidOut",
        coalesce(sum(amount) filter (where is_trade), 0)::text as traded
      from deal),
    single as (
      select at, deal_id::text, cmd, amount::text, 0 as closed from deal
      where not is_trade and amount <> 0 order by at, deal_id limit ${entriesMax}),
    day as (
      select max(at) as at, null::text as deal_id, 'trades' as cmd, sum(amount)::text as amount,
        count(*) filter (where entry > 0)::int as closed
      from deal where is_trade group by date_trunc('day', at at time zone ${zoneInDatabase(timeZone)})
      having sum(amount) <> 0 or count(*) filter (where entry > 0) > 0),
    line as (select * from single union all select * from day)
    select before.opening, sums.*, line.*, moved.ticket::text as ticket
    from before cross join sums left join line on true
    left join balance_transactions moved on moved.workspace_id = ${member.workspaceId}::uuid
      and moved.account_id = ${asked.accountId}::uuid and moved.platform_ticket = line.deal_id
    order by line.at, line.deal_id`.execute(tx)
  const [sums] = rows
  if (!sums) throw new Error('An aggregate without groups has one row')
  const { opening, paidIn, paidOut, traded } = sums
  return { opening, paidIn, paidOut, traded, entries: rows.filter((row) => row.at !== null) }
}
