import type { DeskRequestRow, listDeskRequests as listCall } from '@atrium/contract/desk-requests.ts'
import { limits } from '@atrium/contract/limits.ts'
import { isFinalRequest, type RequestState, requestStates } from '@atrium/contract/request-states.ts'
import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { containing } from '../foundation/containing.ts'
import { reading, type Tx } from '../foundation/database.ts'
import { meetsSearch, searchWords } from '../foundation/member-words.ts'
import { cutPage, readTimeMark } from '../foundation/page-mark.ts'

type Asked = z.output<(typeof listCall)['input']>
/** `all` is for tables alone: the board has a column for each. */
export type Filter = Omit<Asked, 'status' | 'limit' | 'after' | 'before'> & { status: RequestState | 'all' }
type Paged = Filter & Pick<Asked, 'limit' | 'after' | 'before'>
type Condition = ReturnType<typeof sql<SqlBool>>

/** One column of the board: what waits longest first while it waits, and what was decided last first once it is. */
export function listDeskRequests(staff: Staff, asked: Asked) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const { rows, next, previous } = await readPage(tx, staff, asked)
    const counts = await countByStatus(tx, await meets(tx, staff, asked))
    return { requests: rows, next, previous, total: counts[asked.status], counts }
  })
}

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

export const shapeRow = (row: Selected): DeskRequestRow => ({
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
})

/** Everything that is asked for beside the status. */
async function meets(tx: Tx, staff: Staff, { q, mine, type, member }: Filter): Promise<Condition> {
  const conditions = [sql<SqlBool>`request.workspace_id = ${staff.workspaceId}::uuid`]
  if (mine) conditions.push(sql`request.assigned_staff_id = ${staff.staffId}::uuid`)
  if (type) conditions.push(sql`request.request_type_id = ${type}::uuid`)
  if (member) conditions.push(sql`request.member_id = ${member}::uuid`)
  if (q) conditions.push(await found(tx, staff, q))
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

async function found(tx: Tx, staff: Staff, q: string): Promise<Condition> {
  const number = /^#?(\d{1,15})$/.exec(q)?.[1]
  const ways = [
    sql<SqlBool>`request.subject ilike ${containing(q)}`,
    sql<SqlBool>`(${meetsSearch(await searchWords(tx, staff, q), 'request')})`,
    ...(number ? [sql<SqlBool>`request.number = ${number}::bigint`] : []),
  ]
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`
}

const isRising = ({ status, before }: Paged): boolean =>
  // What waits is worked on in the order in which it came; a page backwards turns that round.
  (status === 'all' || !isFinalRequest(status)) !== (before !== undefined)

export async function readPage(tx: Tx, staff: Staff, asked: Paged) {
  const direction = isRising(asked) ? 'asc' : 'desc'
  const mark = asked.before ?? asked.after
  const rows = await selectDeskRequests(tx, staff)
    .where(await meets(tx, staff, asked))
    .$if(asked.status !== 'all', (query) => query.where('request.status', '=', asked.status))
    .$if(mark !== undefined, (query) => query.where(beyond(mark ?? '', isRising(asked))))
    .orderBy('request.status_since', direction)
    .orderBy('request.request_id', direction)
    .limit(asked.limit + 1)
    .execute()
  return cutPage(rows.map(shapeRow), asked, (row) => ({ value: String(row.status_since), id: row._id }))
}

function beyond(mark: string, rising: boolean) {
  const than = sql.raw(rising ? '>' : '<')
  const { at, id } = readTimeMark(mark)
  return sql<boolean>`(request.status_since ${than}= ${at}
    and (request.status_since ${than} ${at} or request.request_id ${than} ${id}::uuid))`
}

/** Every column's count by the same filters, in one statement; each no further than anybody needs to know. */
async function countByStatus(tx: Tx, met: Condition): Promise<Record<RequestState, number>> {
  const counts = requestStates.map((status) =>
    sql<number>`(select count(*)::int from (
      select from requests as request where ${met} and request.status = ${status}
      limit ${limits.countedMax}) as counted)`.as(status),
  )
  return (await tx.selectNoFrom(counts).executeTakeFirstOrThrow()) as Record<RequestState, number>
}
