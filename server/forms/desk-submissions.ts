import type { exportAnswers as exportCall, listSubmissions as listCall } from '@atrium/contract/desk-forms.ts'
import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { cutPage, readTimeMark } from '../foundation/page-mark.ts'
import { bandOf, readAnswered } from './answered.ts'
import { readFormVersion } from './desk-forms.ts'
import { cellsOf, columnsOf } from './written-answers.ts'

type Asked = z.output<(typeof listCall)['input']>

/** Who filled in a form, the newest first. */
export function listSubmissions(staff: Staff, asked: Asked) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const { rows, next, previous } = await readPage(tx, staff, asked)
    const { total } = await tx
      .selectFrom(
        tx
          .selectFrom('form_answers')
          .select(sql`1`.as('one'))
          .where('workspace_id', '=', staff.workspaceId)
          .where('form_id', '=', asked.id)
          .limit(limits.countedMax)
          .as('counted'),
      )
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow()
    return { submissions: rows, next, previous, total }
  })
}

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

const shapeRow = (row: Selected) => ({
  _id: row.answers_id,
  version: row.version,
  submitted_at: row.submitted_at.getTime(),
  member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
  score: row.score === null ? null : Number(row.score),
  band: bandOf(row)?.name ?? null,
  request: row.request_id && row.number !== null ? { _id: row.request_id, number: String(row.number) } : null,
})

type Paged = Pick<Asked, 'id' | 'limit' | 'after' | 'before'> & { version?: number }

async function readPage(tx: Tx, staff: Staff, asked: Paged) {
  const mark = asked.before ?? asked.after
  const isRising = asked.before !== undefined
  const direction = isRising ? 'asc' : 'desc'
  const rows = await selectSubmissions(tx, staff)
    .where('sent.form_id', '=', asked.id)
    .$if(asked.version !== undefined, (query) => query.where('sent.version', '=', asked.version ?? 0))
    .$if(mark !== undefined, (query) => query.where(beyond(mark ?? '', isRising)))
    .orderBy('sent.submitted_at', direction)
    .orderBy('sent.answers_id', direction)
    .limit(asked.limit + 1)
    .execute()
  return cutPage(rows.map(shapeRow), asked, (row) => ({ value: String(row.submitted_at), id: row._id }))
}

function beyond(mark: string, rising: boolean) {
  const than = sql.raw(rising ? '>' : '<')
  const { at, id } = readTimeMark(mark)
  return sql<boolean>`(sent.submitted_at ${than}= ${at}
    and (sent.submitted_at ${than} ${at} or sent.answers_id ${than} ${id}::uuid))`
}

export function readSubmission(staff: Staff, id: string) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await selectSubmissions(tx, staff).where('sent.answers_id', '=', id).executeTakeFirst()
    const [answered] = await readAnswered(tx, staff, { answersIds: [id] })
    return row && answered ? { ...shapeRow(row), answered } : refuseNotFound()
  })
}

type Exported = z.output<(typeof exportCall)['input']>

/** Everybody's answers to one version, as a table. Who took it away is written down first. */
export async function exportAnswers(staff: Staff, { id, version }: Exported): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'members.read')
  const wanted = version ?? (await readCurrentVersion(staff, id))
  const { definition } = await readFormVersion(staff, id, wanted)
  await inTransaction(staff, (tx) =>
    audit(tx, staff, { action: 'form.answers-exported', subject: { kind: 'form', id }, after: { version: wanted } }),
  )
  return writeTable(staff, { id, version: wanted }, columnsOf(definition))
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

const rowsAtOnce = 200
const heads = ['Sent (UTC)', 'Customer number', 'Name', 'Request', 'Points', 'Result']

/** Each part is read in a transaction of its own: a slow reader holds no connection while it reads. */
async function* writeTable(
  staff: Staff,
  asked: { id: string; version: number },
  columns: ReturnType<typeof columnsOf>,
): AsyncIterable<string> {
  yield csvMark + csvLine([...heads, ...columns.map(({ name }) => name), 'Other answers'])
  let after: string | undefined
  do {
    const page = await reading(staff, async (tx) => {
      const { rows, next } = await readPage(tx, staff, { ...asked, limit: rowsAtOnce, after })
      const answersIds = rows.map(({ _id }) => _id)
      return { rows, next, answered: rows.length > 0 ? await readAnswered(tx, staff, { answersIds }) : [] }
    })
    const answeredOf = new Map(page.answered.map((one) => [one.answers_id, one]))
    yield page.rows
      .map((row) =>
        csvLine([
          ...[new Date(row.submitted_at).toISOString().slice(0, 19).replace('T', ' '), row.member.customer_number],
          ...[row.member.name, row.request?.number ?? null, row.score, row.band],
          ...cellsOf(columns, answeredOf.get(row._id)),
        ]),
      )
      .join('')
    after = page.next ?? undefined
  } while (after)
}
