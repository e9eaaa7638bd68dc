import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { notifyMember } from './telling.ts'
import { lockTicket, moveTicket, refuseClosed, type TicketRow } from './ticket.ts'

/**
 * Puts a ticket together with another one of the same member. Nothing that was said moves: it is shown where the
 * conversation goes on, so that what was merged can be read as it was. The same asked again is no change.
 */
export async function mergeTicket(staff: Staff, id: string, into: string): Promise<void> {
  authorizeStaff(staff, 'tickets.answer')
  await inTransaction(staff, async (tx) => {
    const [ticket, other] = await lockBoth(tx, staff, id, into)
    if (ticket.merged_into === into) return
    await refuseClosed(tx, staff, ticket)
    if (!other || other.ticket_id === id || other.member_id !== ticket.member_id || other.state === 'closed')
      refuseFields({ into: [deskTexts.ticketMergeUnknown] })
    // What was merged into this one before goes on where this one does: nobody follows a chain.
    await tx
      .updateTable('tickets')
      .set({ merged_into: into })
      .where('workspace_id', '=', staff.workspaceId)
      .where('merged_into', '=', id)
      .execute()
    const closed = await moveTicket(tx, staff, ticket, {
      to: 'closed',
      event: 'ticket.merged',
      set: { merged_into: into },
    })
    await notifyMember(tx, staff, closed, 'merged', { key: id, other })
  })
}

/** In one order, whichever is merged into which: two colleagues who merge them the other way round do not block each other. */
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
