import { limits } from '@atrium/contract/limits.ts'
import { holdsRight } from '@atrium/contract/staff/rights.ts'
import type { deskTicketRow } from '@atrium/contract/tickets/desk-calls.ts'
import { ticketsList } from '@atrium/contract/tickets/desk-list.ts'
import type { TicketState } from '@atrium/contract/tickets/states.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Staff } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import type { Tx } from '../foundation/database/database.ts'
import { containsText } from '../foundation/database/like-pattern.ts'
import { type Condition, condition, defineList } from '../foundation/list.ts'
import { meetsSearch, searchWords } from '../foundation/member-labels.ts'

export type DeskRow = z.output<typeof deskTicketRow>

const isUnderWay = (state: TicketState | undefined) => state === 'open' || state === 'taken'

/** The board: open tickets oldest first, resolved ones newest first. */
export const deskTickets = defineList({
  list: ticketsList,
  right: 'members.read',
  table: 'tickets as ticket',
  id: 'ticket.ticket_id',
  select: selectDeskTickets,
  filters: {
    state: (state) => condition`ticket.state = ${state}`,
    q: (q, { tx, staff }) => found(tx, staff, q),
    mine: (_, { staff }) => condition`ticket.taken_by = ${staff.staffId}::uuid`,
    priority: (priority) => condition`ticket.priority = ${priority}`,
    member: (member) => condition`ticket.member_id = ${member}::uuid`,
  },
  sort: ({ state }) => ({
    column: 'ticket.state_since',
    direction: isUnderWay(state) ? 'asc' : 'desc',
    at: (row) => row.state_since,
  }),
  shape: shapeRow,
  isCounted: false,
  async beside({ tx, staff, filter, met }) {
    const { total, ...counts } = await countTickets(tx, staff, await met(filter))
    return { total, counts }
  },
  columns: [
    ['Ticket', (row) => row.ticket],
    ['Filed (UTC)', (row) => spreadsheetMoment(row.created_at)],
    ['State', (row) => row.state],
    ['Since (UTC)', (row) => spreadsheetMoment(row.state_since)],
    ['Priority', (row) => row.priority],
    ['Subject', (row) => row.subject],
    ['Customer number', (row) => row.member.customer_number],
    ['Name', (row) => row.member.name],
    ['Assigned to', (row) => row.taken_by?.name ?? null],
    ['First answered (UTC)', (row) => spreadsheetMoment(row.first_answered_at)],
    ['Waits for an answer', (row) => (isUnderWay(row.state) && row.waits ? 'yes' : 'no')],
  ],
})

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

export function shapeRow(row: Selected, { role }: Staff): DeskRow {
  return {
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
    // A ticket without messages counts as the member's first message.
    is_unread: holdsRight(role, 'tickets.answer') && row.last_of_member > (row.seen_position ?? -1),
    waits: row.last_of_member >= row.last_of_staff,
    first_answered_at: row.first_answered_at?.getTime() ?? null,
  }
}

async function found(tx: Tx, staff: Staff, q: string): Promise<Condition> {
  const number = /^#?(\d{1,15})$/.exec(q)?.[1]
  const ways = [
    containsText(sql`ticket.subject`, q),
    condition`(${meetsSearch(await searchWords(tx, staff, q), 'ticket')})`,
    ...(number ? [condition`ticket.number = ${number}::bigint`] : []),
  ]
  return condition`(${sql.join(ways, sql` or `)})`
}

/** Counts several conditions in one statement, up to the maximum shown. */
async function countUpTo<Name extends string>(
  tx: Tx,
  conditions: Record<Name, Condition>,
): Promise<Record<Name, number>> {
  const counts = Object.entries<Condition>(conditions).map(([name, met]) =>
    sql<number>`(select count(*)::int from (
      select from tickets as ticket where ${met} limit ${limits.ticketsCountedMax}) as counted)`.as(name),
  )
  return (await tx.selectNoFrom(counts).executeTakeFirstOrThrow()) as Record<Name, number>
}

function countTickets(tx: Tx, staff: Staff, met: Condition) {
  const inState = (state: TicketState) =>
    condition`ticket.workspace_id = ${staff.workspaceId}::uuid and ticket.state = ${state}`
  return countUpTo(tx, {
    total: met,
    open: inState('open'),
    taken: inState('taken'),
    resolved: inState('resolved'),
    closed: inState('closed'),
    waiting: condition`ticket.workspace_id = ${staff.workspaceId}::uuid
      and (ticket.state = 'open' or (ticket.state = 'taken' and ticket.last_of_member >= ticket.last_of_staff))`,
  })
}
