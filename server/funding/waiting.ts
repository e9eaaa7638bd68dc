import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readWaiting } from '@atrium/contract/funding/desk-calls.ts'
import { holdsRight } from '@atrium/contract/staff/rights.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'

type Waiting = Omit<CallAnswer<typeof readWaiting>, 'status'>

/** A higher count adds no information. */
const countedMax = 1_000

/** The number of items awaiting a decision in the queues that a role may read, each read by its state index. */
export function readWaitingWork(staff: Staff): Promise<Waiting> {
  authorizeStaff(staff, 'desk.use')
  const mayReadMoney = holdsRight(staff.role, 'money.read')
  const mayReadMembers = holdsRight(staff.role, 'members.read')
  return reading(staff, async (tx) => {
    const count = (from: ReturnType<typeof sql>) =>
      sql<number>`(select count(*)::int from (select ${from} limit ${countedMax}) as counted)`
    const here = (table: string) => sql`${sql.ref(`${table}.workspace_id`)} = ${staff.workspaceId}::uuid`
    const inQueue = (type: string, states: string[]) => sql`from balance_transactions as transaction
      where ${here('transaction')} and transaction.type = ${type} and transaction.state = any(${states}::text[])`
    // Excludes transactions that a member may still pay at a provider or that a provider is paying out: neither needs a
    // decision.
    const isPaying = sql`exists (select from deposit_orders as ordered where ordered.workspace_id = transaction.workspace_id
      and ordered.transaction_id = transaction.transaction_id and ordered.state in ('created', 'checking', 'handed_over'))`
    const isPaidOut = sql`exists (select from payout_orders as paid where paid.workspace_id = transaction.workspace_id
      and paid.transaction_id = transaction.transaction_id and paid.state in ('created', 'sending', 'checking', 'accepted'))`
    const isStuck = sql`exists (select from platform_intents as intent where intent.workspace_id = transaction.workspace_id
      and intent.transaction_id = transaction.transaction_id and intent.state = 'stuck')`
    const stuckIn = (type: string) =>
      count(sql`${inQueue(type, ['crediting', 'debiting', 'checking', 'returning'])} and ${isStuck}`)
    const { rows } = await sql<
      Record<'deposits' | 'stuckDeposits' | 'withdrawals' | 'stuckWithdrawals', number> & {
        payments: number
        documents: number
      }
    >`select
      ${count(sql`${inQueue('deposit', ['pending'])} and not ${isPaying}`)} as deposits,
      ${stuckIn('deposit')} as "stuckDeposits",
      ${count(sql`${inQueue('withdrawal', ['pending', 'paying'])} and not ${isPaidOut}`)} as withdrawals,
      ${stuckIn('withdrawal')} as "stuckWithdrawals",
      ${count(sql`from payment_cases as opened where ${here('opened')} and opened.state <> 'closed'`)} as payments,
      ${count(sql`from documents as sent where ${here('sent')} and sent.status = 'in_verification'
        and exists (select from members as person where person.workspace_id = sent.workspace_id
          and person.member_id = sent.member_id and person.status <> 'erased')`)} as documents`.execute(tx)
    const [found] = rows
    if (!found) return {}
    return {
      ...(mayReadMoney && {
        deposits: { count: found.deposits + found.stuckDeposits, stuck: found.stuckDeposits },
        withdrawals: { count: found.withdrawals + found.stuckWithdrawals, stuck: found.stuckWithdrawals },
        payments: { count: found.payments, stuck: 0 },
      }),
      ...(mayReadMembers && { documents: { count: found.documents, stuck: 0 } }),
    }
  })
}
