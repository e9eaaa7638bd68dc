import type { FormField } from '@atrium/contract/forms/definition.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { DeskRequestRow } from '@atrium/contract/requests/desk-calls.ts'
import { requestsList } from '@atrium/contract/requests/desk-list.ts'
import { isFinalRequest, type RequestState, requestStates } from '@atrium/contract/requests/states.ts'
import { sql } from 'kysely'
import { readVersion } from '../forms/form.ts'
import { readSubmittedAnswers, type SubmittedAnswers } from '../forms/submitted-answers.ts'
import { cellsOf, columnsOf } from '../forms/written-answers.ts'
import type { Staff } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { containsText } from '../foundation/database/like-pattern.ts'
import { type Column, type Condition, condition, defineList } from '../foundation/list.ts'
import { meetsSearch, searchWords, type WordSearch } from '../foundation/member-labels.ts'

const columns: Column<DeskRequestRow>[] = [
  ['Request', (row) => row.number],
  ['Sent (UTC)', (row) => spreadsheetMoment(row.created_at)],
  ['Type', (row) => row.type.name],
  ['Status', (row) => row.status],
  ['Since (UTC)', (row) => spreadsheetMoment(row.status_since)],
  ['Subject', (row) => row.subject],
  ['Customer number', (row) => row.member.customer_number],
  ['Name', (row) => row.member.name],
  ['Assigned to', (row) => row.assigned?.name ?? null],
]

/** One column of the board: open requests oldest first, decided ones newest first. */
export const deskRequests = defineList({
  list: requestsList,
  right: 'members.read',
  table: 'requests as request',
  id: 'request.request_id',
  select: selectDeskRequests,
  prepare: ({ tx, staff, filter }): Promise<WordSearch> => searchWords(tx, staff, filter.q),
  filters: {
    status: (status) => condition`request.status = ${status}`,
    q: (q, { known }) => found(q, known),
    mine: (_, { staff }) => condition`request.assigned_staff_id = ${staff.staffId}::uuid`,
    type: (type) => condition`request.request_type_id = ${type}::uuid`,
    member: (member) => condition`request.member_id = ${member}::uuid`,
  },
  sort: ({ status }) => ({
    column: 'request.status_since',
    direction: status && isFinalRequest(status) ? 'desc' : 'asc',
    at: (row) => row.status_since,
  }),
  shape: shapeRow,
  isCounted: false,
  async beside({ tx, filter, met }) {
    const counts = await countByStatus(tx, await met({ ...filter, status: undefined }))
    return { counts, total: counts[filter.status ?? 'not-assigned'] }
  },
  /** For one type, with a column for each form field. */
  async readTable(staff, { type }) {
    const fields = type ? await reading(staff, (tx) => readColumns(tx, staff, type)) : null
    return {
      heads: [
        ...columns.map(([head]) => head),
        ...(fields ? [...fields.map(({ name }) => name), 'Other answers'] : []),
      ],
      async cells(tx, rows) {
        const answered = fields ? await readAnswersOf(tx, staff, rows) : new Map()
        return rows.map((row) => [
          ...columns.map(([, cell]) => cell(row)),
          ...(fields ? cellsOf(fields, answered.get(row._id)) : []),
        ])
      },
    }
  },
})

export function selectDeskRequests(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('requests as request')
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'request.workspace_id').onRef('owner.member_id', '=', 'request.member_id'),
    )
    .innerJoin('request_types as type', (join) =>
      join
        .onRef('type.workspace_id', '=', 'request.workspace_id')
        .onRef('type.request_type_id', '=', 'request.request_type_id'),
    )
    .selectAll('request')
    .select(['owner.customer_number', 'type.name as type_name'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .where('request.workspace_id', '=', staff.workspaceId)
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectDeskRequests>['execute']>>[number]

export function shapeRow(row: Selected): DeskRequestRow {
  return {
    _id: row.request_id,
    number: String(row.number),
    subject: row.subject,
    type: { _id: row.request_type_id, name: row.type_name },
    status: row.status as RequestState,
    status_since: row.status_since.getTime(),
    priority: row.priority as DeskRequestRow['priority'],
    created_at: row.created_at.getTime(),
    assigned:
      row.assigned_staff_id && row.assigned_staff_name
        ? { _id: row.assigned_staff_id, name: row.assigned_staff_name }
        : null,
    member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
  }
}

function found(q: string, known: WordSearch): Condition {
  const number = /^#?(\d{1,15})$/.exec(q)?.[1]
  const ways = [
    containsText(sql`request.subject`, q),
    condition`(${meetsSearch(known, 'request')})`,
    ...(number ? [condition`request.number = ${number}::bigint`] : []),
  ]
  return condition`(${sql.join(ways, sql` or `)})`
}

/** Counts every status by the same filters in one statement, up to the maximum shown. */
async function countByStatus(tx: Tx, met: Condition): Promise<Record<RequestState, number>> {
  const counts = requestStates.map((status) =>
    sql<number>`(select count(*)::int from (
      select from requests as request where ${met} and request.status = ${status}
      limit ${limits.countedMax}) as counted)`.as(status),
  )
  return (await tx.selectNoFrom(counts).executeTakeFirstOrThrow()) as Record<RequestState, number>
}

/** The fields of the type's current form; null for a type without a form. */
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

async function readAnswersOf(
  tx: Tx,
  staff: Staff,
  rows: DeskRequestRow[],
): Promise<Map<string | null, SubmittedAnswers>> {
  if (rows.length === 0) return new Map()
  const answered = await readSubmittedAnswers(tx, staff, { requestIds: rows.map(({ _id }) => _id) })
  return new Map(answered.map((one) => [one.request_id, one]))
}
