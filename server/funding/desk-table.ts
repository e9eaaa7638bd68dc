import { toScale } from '@atrium/contract/money/money.ts'
import type { exportDeposits } from '@atrium/contract/staff/calls.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { type Cell, writeTable } from '../foundation/csv.ts'
import { inTransaction, listing, type Tx } from '../foundation/database/database.ts'
import {
  findWanted,
  ofThese,
  selectTransactions,
  type TransactionType,
  transactionColumns,
} from './desk-transactions.ts'

type Asked = z.output<(typeof exportDeposits)['input']>

/** A queue as a table, by the same filters. Who took it away and by which filters is written down first. */
export async function exportTransactions(
  staff: Staff,
  type: TransactionType,
  asked: Asked,
): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'money.read')
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: `${type}s.exported`,
      subject: { kind: 'workspace', id: staff.workspaceId },
      // What was searched for may be anybody's name or number; that it was searched is enough.
      after: { ...asked, q: asked.q === undefined ? undefined : '…' },
    }),
  )
  return linesOf(staff, type, asked)
}

const rowsAtOnce = 500
const heads = [
  ...['Asked for (UTC)', 'Ticket', 'State', 'Customer number', 'Name', 'Account', 'Platform', 'Kind', 'Amount', 'Fee'],
  ...[
    'Currency',
    'Method',
    'Destination',
    'Comment',
    'Decided (UTC)',
    'Paid out (UTC)',
    'Platform ticket',
    'Reference',
  ],
  ...['Reason', 'Note'],
]

type Row = Awaited<ReturnType<typeof readPart>>[number]

function linesOf(staff: Staff, type: TransactionType, asked: Asked): AsyncIterable<string> {
  return writeTable<Row>(heads, async (behind) => {
    const part = await listing(staff, (tx) => readPart(tx, staff, type, { ...asked, behind }))
    return { rows: part.map(cellsOf), next: part.length === rowsAtOnce ? part.at(-1) : null }
  })
}

type Part = Asked & { behind: { created_at: Date; transaction_id: string } | undefined }

async function readPart(tx: Tx, staff: Staff, type: TransactionType, { behind, order, ...filter }: Part) {
  const isRising = order === 'oldest'
  const than = sql.raw(isRising ? '>' : '<')
  const { ids } = await findWanted(tx, staff, type, filter)
  const inPart = ids
    .$if(behind !== undefined, (rows) =>
      rows.where(sql<boolean>`(movement.created_at ${than}= ${behind?.created_at} and (movement.created_at ${than}
        ${behind?.created_at} or movement.transaction_id ${than} ${behind?.transaction_id}::uuid))`),
    )
    .orderBy('movement.created_at', isRising ? 'asc' : 'desc')
    .orderBy('movement.transaction_id', isRising ? 'asc' : 'desc')
    .limit(rowsAtOnce)
  return ofThese(selectTransactions(tx, staff, type), inPart)
    .select([...transactionColumns, 'movement.fee', 'movement.destination', 'movement.comment', 'movement.decided_at'])
    .select(['movement.paid_at', 'movement.payout_reference', 'movement.rejection_reason', 'movement.rejection_note'])
    .orderBy('movement.created_at', isRising ? 'asc' : 'desc')
    .orderBy('movement.transaction_id', isRising ? 'asc' : 'desc')
    .execute()
}

const moment = (at: Date | null): string => at?.toISOString().slice(0, 19).replace('T', ' ') ?? ''

function cellsOf(row: Row): Cell[] {
  const figure = (amount: string) => ({ amount: toScale(amount, row.currency) })
  return [
    ...[moment(row.created_at), row.ticket, row.state, row.customer_number, `${row.first_name} ${row.last_name}`],
    ...[row.platform_login, row.platform_type, row.live_account ? 'live' : 'demo', figure(row.amount), figure(row.fee)],
    ...[row.currency, row.payment_method.replace(/^psp:/, ''), row.destination?.replace(/^psp:/, '') ?? null],
    ...[row.comment, moment(row.decided_at), moment(row.paid_at), row.platform_ticket, row.payout_reference],
    ...[row.rejection_reason, row.rejection_note],
  ]
}
