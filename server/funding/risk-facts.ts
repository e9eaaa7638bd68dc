import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readDeposit } from '@atrium/contract/deposits/desk-calls.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

type Risk = CallAnswer<typeof readDeposit>['deposit']['risk']

type Row = {
  type: string
  transaction_id: string
  member_id: string
  account_id: string
  currency: string
  created_at: Date
  destination_id: string | null
}

/** A decision does not need a higher count. */
const countedMax = 100

/** The facts beside a decision: the account's metrics, whether it is a first payment, the beneficiary's age. */
export async function readRiskFacts(tx: Tx, { workspaceId }: Staff, row: Row): Promise<Risk> {
  const here = sql`workspace_id = ${workspaceId}::uuid`
  const earlier = (more: ReturnType<typeof sql>) => sql<number>`(select count(*)::int from (
    select from balance_transactions as before
    where before.workspace_id = ${workspaceId}::uuid and before.member_id = ${row.member_id}::uuid
      and before.type = ${row.type} and before.state = 'approved' and before.created_at < ${row.created_at}
      and ${more} limit ${countedMax}) as counted)`
  const isLive = sql`exists (select from trading_accounts as account where account.workspace_id = before.workspace_id
    and account.account_id = before.account_id and account.live_account)`
  const since = (
    table: string,
    id: string,
  ) => sql`select coalesce(changed_at, created_at) as since from ${sql.table(table)}
    where ${here} and ${sql.ref(id)} = ${row.destination_id}::uuid`
  const { rows } = await sql<{
    balance: string | null
    synced_at: Date | null
    earlier: number
    paid_before: number
    since: Date | null
  }>`select balance, synced_at, ${earlier(isLive)} as earlier,
      ${earlier(sql`before.destination_id = ${row.destination_id}::uuid`)} as paid_before,
      (${since('bank_accounts', 'bank_account_id')} union all ${since('fund_accounts', 'fund_account_id')} limit 1) as since
    from trading_accounts where ${here} and account_id = ${row.account_id}::uuid`.execute(tx)
  const [found] = rows
  if (!found) return null
  return {
    balance: found.balance && toScale(found.balance, row.currency),
    balance_at: found.synced_at?.getTime() ?? null,
    earlier: found.earlier,
    beneficiary:
      row.type === 'withdrawal' && found.since
        ? { since: found.since.getTime(), paid_before: found.paid_before }
        : null,
  }
}
