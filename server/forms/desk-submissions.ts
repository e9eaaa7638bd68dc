import type { exportAnswers as exportCall } from '@atrium/contract/forms/desk-calls.ts'
import { submissionsList } from '@atrium/contract/forms/submissions-list.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { condition, defineList } from '../foundation/list.ts'
import { readFormVersion } from './desk-forms.ts'
import { bandOf, readSubmittedAnswers } from './submitted-answers.ts'
import { cellsOf, columnsOf } from './written-answers.ts'

/** Submissions of a form, the newest first. */
export const submissions = defineList({
  list: submissionsList,
  right: 'members.read',
  table: 'form_answers as sent',
  id: 'sent.answers_id',
  select: selectSubmissions,
  where: ({ filter: { id, version } }: { filter: { id: string; version?: number | undefined } }) =>
    version === undefined
      ? condition`sent.form_id = ${id}::uuid`
      : condition`sent.form_id = ${id}::uuid and sent.version = ${version}`,
  sort: () => ({ column: 'sent.submitted_at', direction: 'desc', at: (row) => row.submitted_at }),
  filters: {},
  shape: shapeRow,
  async readTable(staff, { id, version = 0 }) {
    const fields = columnsOf((await readFormVersion(staff, id, version)).definition)
    return {
      heads: [...heads, ...fields.map(({ name }) => name), 'Other answers'],
      async cells(tx, rows) {
        const answersIds = rows.map(({ _id }) => _id)
        const answered = rows.length > 0 ? await readSubmittedAnswers(tx, staff, { answersIds }) : []
        const answeredOf = new Map(answered.map((one) => [one.answers_id, one]))
        return rows.map((row) => [
          ...[spreadsheetMoment(row.submitted_at), row.member.customer_number, row.member.name],
          ...[row.request?.number ?? null, row.score, row.band],
          ...cellsOf(fields, answeredOf.get(row._id)),
        ])
      },
    }
  },
  exported: { action: 'form.answers-exported', subject: ({ id }) => ({ kind: 'form', id }) },
})

const heads = ['Sent (UTC)', 'Customer number', 'Name', 'Request', 'Points', 'Result']

function selectSubmissions(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('form_answers as sent')
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'sent.workspace_id').onRef('owner.member_id', '=', 'sent.member_id'),
    )
    .leftJoin('requests', (join) =>
      join
        .onRef('requests.workspace_id', '=', 'sent.workspace_id')
        .onRef('requests.request_id', '=', 'sent.request_id'),
    )
    .select(['sent.answers_id', 'sent.version', 'sent.submitted_at', 'sent.member_id', 'sent.score', 'sent.band'])
    .select(['sent.request_id', 'requests.number', 'owner.customer_number'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .where('sent.workspace_id', '=', staff.workspaceId)
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectSubmissions>['execute']>>[number]

function shapeRow(row: Selected) {
  return {
    _id: row.answers_id,
    version: row.version,
    submitted_at: row.submitted_at.getTime(),
    member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
    score: row.score === null ? null : Number(row.score),
    band: bandOf(row)?.name ?? null,
    request: row.request_id && row.number !== null ? { _id: row.request_id, number: String(row.number) } : null,
  }
}

export function readSubmission(staff: Staff, id: string) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await selectSubmissions(tx, staff).where('sent.answers_id', '=', id).executeTakeFirst()
    const [answered] = await readSubmittedAnswers(tx, staff, { answersIds: [id] })
    return row && answered ? { ...shapeRow(row), answered } : refuseNotFound()
  })
}

type Exported = z.output<(typeof exportCall)['input']>

/** All answers to one version as a table; to the newest version if none is given. */
export async function exportAnswers(staff: Staff, { id, version }: Exported) {
  authorizeStaff(staff, 'members.read')
  return submissions.table(staff, { id, version: version ?? (await readCurrentVersion(staff, id)) })
}

function readCurrentVersion(staff: Staff, id: string): Promise<number> {
  return reading(staff, async (tx) => {
    const row = await tx
      .selectFrom('forms')
      .select('current_version')
      .where('workspace_id', '=', staff.workspaceId)
      .where('form_id', '=', id)
      .executeTakeFirst()
    return row?.current_version ?? refuseNotFound()
  })
}
