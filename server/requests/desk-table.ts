import type { DeskRequestRow } from '@atrium/contract/desk-requests.ts'
import type { FormField } from '@atrium/contract/forms/definition.ts'
import { type ReadAnswered, readAnswered } from '../forms/answered.ts'
import { readVersion } from '../forms/form.ts'
import { cellsOf, columnsOf } from '../forms/written-answers.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { type Filter, readPage } from './desk-list.ts'

/** The board as a table, by the same filters. Who took it away and by which filters is written down first. */
export async function exportDeskRequests(staff: Staff, filter: Filter): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'members.read')
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: 'requests.exported',
      subject: { kind: 'workspace', id: staff.workspaceId },
      // What was searched for may be anybody's name or number; that it was searched is enough.
      after: { ...filter, q: filter.q === undefined ? undefined : '…' },
    }),
  )
  return writeTable(staff, filter)
}

const rowsAtOnce = 200
const heads = [
  'Request',
  'Sent (UTC)',
  'Type',
  'Status',
  'Since (UTC)',
  'Subject',
  'Customer number',
  'Name',
  'Assigned to',
]

/** Each part is read in a transaction of its own: a slow reader holds no connection while it reads. */
async function* writeTable(staff: Staff, filter: Filter): AsyncIterable<string> {
  const columns = filter.type ? await reading(staff, (tx) => readColumns(tx, staff, filter.type ?? '')) : null
  const others = columns ? [...columns.map(({ name }) => name), 'Other answers'] : []
  yield csvMark + csvLine([...heads, ...others])
  let after: string | undefined
  do {
    const page = await reading(staff, async (tx) => {
      const { rows, next } = await readPage(tx, staff, { ...filter, limit: rowsAtOnce, after })
      return { rows, next, answered: columns ? await readAnswersOf(tx, staff, rows) : new Map() }
    })
    yield page.rows
      .map((row) => csvLine([...cells(row), ...(columns ? cellsOf(columns, page.answered.get(row._id)) : [])]))
      .join('')
    after = page.next ?? undefined
  } while (after)
}

/** Of the type's form as it is now; null where the type asks for nothing. */
async function readColumns(tx: Tx, staff: Staff, typeId: string): Promise<FormField[] | null> {
  const row = await tx
    .selectFrom('request_types as type')
    .innerJoin('forms', (join) =>
      join.onRef('forms.workspace_id', '=', 'type.workspace_id').onRef('forms.form_id', '=', 'type.form_id'),
    )
    .select(['forms.form_id', 'forms.current_version'])
    .where('type.workspace_id', '=', staff.workspaceId)
    .where('type.request_type_id', '=', typeId)
    .executeTakeFirst()
  return row ? columnsOf(await readVersion(tx, staff, { formId: row.form_id, version: row.current_version })) : null
}

async function readAnswersOf(tx: Tx, staff: Staff, rows: DeskRequestRow[]): Promise<Map<string | null, ReadAnswered>> {
  if (rows.length === 0) return new Map()
  const answered = await readAnswered(tx, staff, { requestIds: rows.map(({ _id }) => _id) })
  return new Map(answered.map((one) => [one.request_id, one]))
}

const moment = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

const cells = ({ member, assigned, ...row }: DeskRequestRow): (string | null)[] => [
  ...[row.number, moment(row.created_at), row.type.name, row.status, moment(row.status_since), row.subject],
  ...[member.customer_number, member.name, assigned?.name ?? null],
]
