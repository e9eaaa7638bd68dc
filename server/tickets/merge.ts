import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { notifyMember } from './notifications.ts'
import { lockTicket, moveTicket, refuseClosed, type TicketRow, updateTicket } from './ticket.ts'

/**
 * Merges a ticket into another one of the same member; idempotent. Messages stay in their ticket and are shown in the
 * other one as well.
 */
export async function mergeTicket(staff: Staff, id: string, into: string): Promise<void> {
  authorizeStaff(staff, 'tickets.answer')
  await inTransaction(staff, async (tx) => {
    const [ticket, other] = await lockBoth(tx, staff, id, into)
    if (ticket.merged_into === into) return
    await refuseClosed(tx, staff, ticket)
    if (!other || other.ticket_id === id || other.member_id !== ticket.member_id || other.state === 'closed')
      refuseFields({ into: [deskTexts.ticketMergeUnknown] })
    // Tickets merged into this one now point to the new target, so that there are no chains.
    await tx
      .updateTable('tickets')
      .set({ merged_into: into })
      .where('workspace_id', '=', staff.workspaceId)
      .where('merged_into', '=', id)
      .execute()
    if (waits(ticket)) await waitIn(tx, staff, other)
    const closed = await moveTicket(tx, staff, ticket, {
      to: 'closed',
      event: 'ticket.merged',
      set: { merged_into: into },
    })
    await notifyMember(tx, staff, closed, 'merged', { key: id, other })
  })
}

const waits = ({ state, last_of_member, last_of_staff }: TicketRow): boolean =>
  state !== 'resolved' && last_of_member >= last_of_staff

/** An unanswered question goes on waiting in the ticket that it was merged into: it would otherwise be in no queue any more. */
async function waitIn(tx: Tx, staff: Staff, ticket: TicketRow): Promise<void> {
  const open =
    ticket.state === 'resolved' ? await moveTicket(tx, staff, ticket, { to: 'open', event: 'ticket.reopened' }) : ticket
  if (!waits(open)) await updateTicket(tx, staff, open, { last_of_member: open.messages })
}

/** Locks in a fixed order, so that two merges in opposite directions cannot deadlock. */
async function lockBoth(tx: Tx, staff: Staff, id: string, into: string): Promise<[TicketRow, TicketRow | null]> {
  const rows = await tx
    .selectFrom('tickets')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('ticket_id', 'in', [id, into])
    .orderBy('ticket_id')
    .forUpdate()
    .execute()
  const other = rows.find(({ ticket_id }) => ticket_id === into) ?? null
  return [rows.find(({ ticket_id }) => ticket_id === id) ?? (await lockTicket(tx, staff, id)), other]
}
