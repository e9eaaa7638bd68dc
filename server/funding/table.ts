import { statusOf, type TransactionState } from '@atrium/contract/funding/states.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { authorize, type Member, systemActor } from '../foundation/actor.ts'
import { type Cell, writeTable } from '../foundation/csv.ts'
import { listing } from '../foundation/database/database.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { listTransactionsBefore, type TransactionFilter, type TransactionShape } from './queries.ts'
import { reasonOf } from './transaction.ts'

const rowsAtOnce = 1_000
/** Limits exports per member, because each may be long. */
const perMember: Limit = { name: 'transactions-table', triesMax: 30, windowSeconds: 15 * 60 }

type Table = { name: string; lines: AsyncIterable<string> }

/** Exports the member's filtered transactions page by page, without holding them all in memory. */
export async function exportTransactions(member: Member, filter: TransactionFilter | null): Promise<Table> {
  authorize(member, 'transactions')
  await takeTry(systemActor(member.context, member.workspaceId), perMember, member.memberId)
  const day = member.context.clock.now().toISOString().slice(0, 10)
  return { name: `transactions-${day}.csv`, lines: linesOf(member, filter) }
}

const heads = [
  ...['Time (UTC)', 'Ticket', 'Account', 'Transaction', 'Payment method', 'Status', 'Total', 'Currency'],
  ...['Origin', 'Destination', 'Platform ticket', 'Comment', 'Reason'],
]

function linesOf(member: Member, filter: TransactionFilter | null): AsyncIterable<string> {
  return writeTable<TransactionShape>(heads, async (behind) => {
    if (!filter) return { rows: [], next: null }
    const from = { before: behind ?? null, count: rowsAtOnce }
    const page = await listing(member, (tx) => listTransactionsBefore(tx, member, filter, from))
    return { rows: page.map(cellsOf), next: page.length < rowsAtOnce ? null : page.at(-1) }
  })
}

const statusLabels = { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' } as const

function cellsOf(row: TransactionShape): Cell[] {
  const amount = toScale(row.amount, row.currency)
  return [
    row.created_at.toISOString().slice(0, 19).replace('T', ' '),
    row.ticket,
    row.platform_login,
    row.type === 'withdrawal' ? 'Withdrawal' : 'Deposit',
    row.payment_method.replace(/^psp:/, ''),
    row.state === 'cancelled' ? 'Cancelled' : statusLabels[statusOf(row.state as TransactionState)],
    { amount: row.type === 'withdrawal' ? `-${amount}` : amount },
    row.currency,
    row.origin,
    row.destination?.replace(/^psp:/, '') ?? null,
    row.platform_ticket,
    row.comment,
    row.state === 'rejected' ? reasonOf(row).sentence : null,
  ]
}
