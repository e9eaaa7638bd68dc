import { toScale } from '@atrium/contract/money/money.ts'
import { type RawBuilder, sql } from 'kysely'
import { authorize, type Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { statesOf } from '../funding/queries.ts'

const types = { deposits: 'deposit', withdrawals: 'withdrawal' } as const
const statuses = ['approved', 'pending', 'rejected'] as const

type Status = (typeof statuses)[number]
/** A sum as the database calculated it; the total stays text up to the screen. */
type Summed = { currency: string; type: string; status: Status; total: string; count: number }
type Sum = { total: string; count: number }
type Transactions = Record<Status, Sum>

type Counted = { live_accounts: number; demo_accounts: number; bank_accounts: number; sums: Summed[] }

/** Reads everything in one statement, so that accounts and sums are of one moment and take one round trip. */
export async function readDashboardOf(member: Member, from: number | undefined) {
  authorize(member, 'dashboard')
  const { sums, ...counts } = await reading(member, async (tx) => {
    const { rows } = await statement(member, from).execute(tx)
    return rows[0] as Counted
  })
  return { ...counts, currencies: byCurrency(sums) }
}

const statusOfState = (): RawBuilder<string> => sql`case
  ${sql.join(
    statuses.map((status) => sql`when moved.state = any(${statesOf.get(status) ?? []}::text[]) then ${status}`),
    sql` `,
  )} end`

/** Filters every table by the member, in addition to row security. Cancelled transactions count nowhere. */
function statement({ workspaceId, memberId }: Member, from: number | undefined): RawBuilder<Counted> {
  const since = from === undefined ? null : new Date(from)
  return sql`
    with moved as (
      select moved.currency, moved.type, ${statusOfState()} as status, sum(moved.amount)::text as total,
        count(*)::int as count
      from balance_transactions as moved
      join trading_accounts as account
        on account.workspace_id = moved.workspace_id and account.account_id = moved.account_id
      where moved.workspace_id = ${workspaceId} and moved.member_id = ${memberId}
        and account.live_account and moved.state <> 'cancelled'
        and (${since}::timestamptz is null or moved.created_at >= ${since}::timestamptz)
      group by 1, 2, 3)
    select
      count(*) filter (where account.live_account)::int as live_accounts,
      count(*) filter (where not account.live_account)::int as demo_accounts,
      (select count(*)::int from bank_accounts where workspace_id = ${workspaceId} and member_id = ${memberId}
        and removed_at is null) as bank_accounts,
      (select coalesce(json_agg(moved order by moved.currency), '[]') from moved) as sums
    from trading_accounts as account
    where account.workspace_id = ${workspaceId} and account.member_id = ${memberId} and not account.deleted`
}

function byCurrency(sums: Summed[]) {
  return [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, ofCurrency]) => ({
    currency,
    deposits: transactionsOf(ofCurrency, types.deposits, currency),
    withdrawals: transactionsOf(ofCurrency, types.withdrawals, currency),
  }))
}

function transactionsOf(sums: Summed[], type: string, currency: string): Transactions {
  const of = (status: Status): Sum => {
    const found = sums.find((sum) => sum.type === type && sum.status === status)
    return { total: toScale(found?.total ?? '0', currency), count: found?.count ?? 0 }
  }
  return { approved: of('approved'), pending: of('pending'), rejected: of('rejected') }
}
