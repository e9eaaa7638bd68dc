import type { exportTickets } from '@atrium/contract/desk-tickets.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { type DeskRow, readPage } from './desk-list.ts'

type Filter = z.output<(typeof exportTickets)['input']>

/** The board as a table, by the same filters. Who took it away and by which filters is written down first. */
export async function exportDeskTickets(staff: Staff, filter: Filter): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'members.read')
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: 'tickets.exported',
      subject: { kind: 'workspace', id: staff.workspaceId },
      // What was searched for may be anybody's name or number; that it was searched is enough.
      after: { ...filter, q: filter.q === undefined ? undefined : '…' },
    }),
  )
  return writeTable(staff, filter)
}

const rowsAtOnce = 500
const heads = [
  ...['Ticket', 'Filed (UTC)', 'State', 'Since (UTC)', 'Priority', 'Subject', 'Customer number', 'Name', 'Assigned to'],
  ...['First answered (UTC)', 'Waits for an answer'],
]

/** Each part is read in a transaction of its own: a slow reader holds no connection while it reads. */
async function* writeTable(staff: Staff, filter: Filter): AsyncIterable<string> {
  yield csvMark + csvLine(heads)
  let after: string | undefined
  do {
    const page = await reading(staff, (tx) => readPage(tx, staff, { ...filter, limit: rowsAtOnce, after }))
    yield page.rows.map(tableLine).join('')
    after = page.next ?? undefined
  } while (after)
}

const moment = (at: number | null): string =>
  at === null ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' ')

function tableLine({ member, taken_by, ...row }: DeskRow): string {
  const isUnderWay = row.state === 'open' || row.state === 'taken'
  return csvLine([
    ...[row.ticket, moment(row.created_at), row.state, moment(row.state_since), row.priority, row.subject],
    ...[member.customer_number, member.name, taken_by?.name ?? null, moment(row.first_answered_at)],
    isUnderWay && row.waits ? 'yes' : 'no',
  ])
}
