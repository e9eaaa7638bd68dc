import { holdsRight } from '@atrium/contract/desk-rights.ts'
import type { listTickets as call, deskTicketRow } from '@atrium/contract/desk-tickets.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { TicketState } from '@atrium/contract/ticket-states.ts'
import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { containing } from '../foundation/containing.ts'
import { reading, type Tx } from '../foundation/database.ts'
import { meetsSearch, searchWords } from '../foundation/member-words.ts'
import { cutPage, readTimeMark } from '../foundation/page-mark.ts'

type Asked = z.output<(typeof call)['input']>
export type DeskRow = z.output<typeof deskTicketRow>

/** The board: what waits longest first while it waits, and what was done last first once it is done. */
export function listDeskTickets(staff: Staff, asked: Asked) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const { rows, next, previous } = await readPage(tx, staff, asked)
    const { total, ...counts } = await countTickets(tx, staff, await meets(tx, staff, asked))
    return { tickets: rows, next, previous, total, counts }
  })
}

export function selectDeskTickets(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('tickets as ticket')
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'ticket.workspace_id').onRef('owner.member_id', '=', 'ticket.member_id'),
    )
    .leftJoin('ticket_reads as seen', (join) =>
      join
        .onRef('seen.workspace_id', '=', 'ticket.workspace_id')
        .onRef('seen.ticket_id', '=', 'ticket.ticket_id')
        .on('seen.staff_id', '=', staff.staffId),
    )
    .selectAll('ticket')
    .select(['owner.customer_number', 'seen.position as seen_position'])
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .where('ticket.workspace_id', '=', staff.workspaceId)
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectDeskTickets>['execute']>>[number]

export const shapeRow = (row: Selected, { role }: Staff): DeskRow => ({
  _id: row.ticket_id,
  ticket: row.number,
  subject: row.subject,
  type: row.type as DeskRow['type'],
  priority: row.priority as DeskRow['priority'],
  state: row.state as TicketState,
  state_since: row.state_since.getTime(),
  created_at: row.created_at.getTime(),
  taken_by: row.taken_by && row.taken_by_name ? { _id: row.taken_by, name: row.taken_by_name } : null,
  member: { _id: row.member_id, name: row.owner_name, customer_number: row.customer_number },
  // A ticket without any message is itself what its member said.
  is_unread: holdsRight(role, 'tickets.answer') && row.last_of_member > (row.seen_position ?? -1),
  waits: row.last_of_member >= row.last_of_staff,
  first_answered_at: row.first_answered_at?.getTime() ?? null,
})

async function meets(tx: Tx, staff: Staff, { state, q, mine, priority, member }: Asked) {
  const conditions = [sql<SqlBool>`ticket.workspace_id = ${staff.workspaceId}::uuid`]
  conditions.push(sql`ticket.state = ${state}`)
  if (mine) conditions.push(sql`ticket.taken_by = ${staff.staffId}::uuid`)
  if (priority) conditions.push(sql`ticket.priority = ${priority}`)
  if (member) conditions.push(sql`ticket.member_id = ${member}::uuid`)
  if (q) conditions.push(await found(tx, staff, q))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

async function found(tx: Tx, staff: Staff, q: string) {
  const number = /^#?(\d{1,15})$/.exec(q)?.[1]
  const ways = [
    sql<SqlBool>`ticket.subject ilike ${containing(q)}`,
    sql<SqlBool>`(${meetsSearch(await searchWords(tx, staff, q), 'ticket')})`,
    ...(number ? [sql<SqlBool>`ticket.number = ${number}::bigint`] : []),
  ]
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`
}

const isRising = ({ state, before }: Asked): boolean =>
  // What waits is answered in the order in which it came; a page backwards turns that round.
  (state === 'open' || state === 'taken') !== (before !== undefined)

export async function readPage(tx: Tx, staff: Staff, asked: Asked) {
  const direction = isRising(asked) ? 'asc' : 'desc'
  const mark = asked.before ?? asked.after
  const rows = await selectDeskTickets(tx, staff)
    .where(await meets(tx, staff, asked))
    .$if(mark !== undefined, (query) => query.where(beyond(mark ?? '', isRising(asked))))
    .orderBy('ticket.state_since', direction)
    .orderBy('ticket.ticket_id', direction)
    .limit(asked.limit + 1)
    .execute()
  return cutPage(
    rows.map((row) => shapeRow(row, staff)),
    asked,
    (row) => ({ value: String(row.state_since), id: row._id }),
  )
}

function beyond(mark: string, rising: boolean) {
  const than = sql.raw(rising ? '>' : '<')
  const { at, id } = readTimeMark(mark)
  return sql<boolean>`(ticket.state_since ${than}= ${at}
    and (ticket.state_since ${than} ${at} or ticket.ticket_id ${than} ${id}::uuid))`
}

/** Some conditions at once, in one statement; each no further than anybody needs to know. */
async function countUpTo<Name extends string>(
  tx: Tx,
  conditions: Record<Name, ReturnType<typeof sql<SqlBool>>>,
): Promise<Record<Name, number>> {
  const counts = Object.entries<ReturnType<typeof sql<SqlBool>>>(conditions).map(([name, met]) =>
    sql<number>`(select count(*)::int from (
      select from tickets as ticket where ${met} limit ${limits.ticketsCountedMax}) as counted)`.as(name),
  )
  return (await tx.selectNoFrom(counts).executeTakeFirstOrThrow()) as Record<Name, number>
}

function countTickets(tx: Tx, staff: Staff, met: ReturnType<typeof sql<SqlBool>>) {
  const inState = (state: TicketState) =>
    sql<SqlBool>`ticket.workspace_id = ${staff.workspaceId}::uuid and ticket.state = ${state}`
  return countUpTo(tx, {
    total: met,
    open: inState('open'),
    taken: inState('taken'),
    resolved: inState('resolved'),
    closed: inState('closed'),
    waiting: sql`ticket.workspace_id = ${staff.workspaceId}::uuid
      and (ticket.state = 'open' or (ticket.state = 'taken' and ticket.last_of_member >= ticket.last_of_staff))`,
  })
}
