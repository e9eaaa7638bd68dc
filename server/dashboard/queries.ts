import { toScale } from '@atrium/contract/money/money.ts'
import { type RawBuilder, sql } from 'kysely'
import { authorize, type Member } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
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
  const { workspaceId, memberId } = member
  const of = { workspaceId, memberId, ...(from !== undefined && { since: new Date(from) }) }
  const { sums, ...counts } = await reading(member, async (tx) => (await dashboardOf(tx, of)).rows[0] as Counted)
  return { ...counts, currencies: byCurrency(sums) }
}

const statusOfState = (): RawBuilder<string> => sql`case
  ${sql.join(
    statuses.map((status) => sql`when state = any(${statesOf.get(status) ?? []}::text[]) then ${status}`),
    sql` `,
  )} end`

type Of = Pick<Member, 'workspaceId' | 'memberId'> & { since?: Date }

/**
 * Filters every table by the member, in addition to row security. Sums by account before it joins accounts, so that the
 * prepared plan suits a member of any size.
 */
const dashboardOf = prepareStatement('dashboard', (tx: Tx, { workspaceId, memberId, since }: Of) => {
  const statement = sql<Counted>`
    with summed as materialized (
      select account_id, currency, type, ${statusOfState()} as status, sum(amount) as total, count(*) as count
      from balance_transactions
      where workspace_id = ${workspaceId} and member_id = ${memberId} and state <> 'cancelled'
        ${since === undefined ? sql`` : sql`and created_at >= ${since}`}
      group by 1, 2, 3, 4),
    moved as (
      select summed.currency, summed.type, summed.status, sum(summed.total)::text as total, sum(summed.count)::int as count
      from summed
      join trading_accounts as account on account.workspace_id = ${workspaceId} and account.account_id = summed.account_id
      where account.live_account
      group by 1, 2, 3)
    select
      count(*) filter (where account.live_account)::int as live_accounts,
      count(*) filter (where not account.live_account)::int as demo_accounts,
      (select count(*)::int from bank_accounts where workspace_id = ${workspaceId} and member_id = ${memberId}
        and removed_at is null) as bank_accounts,
      (select coalesce(json_agg(moved order by moved.currency), '[]') from moved) as sums
    from trading_accounts as account
    where account.workspace_id = ${workspaceId} and account.member_id = ${memberId} and not account.deleted`
  return { compile: () => statement.compile(tx) }
})

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
