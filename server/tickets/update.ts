import type { updateTicket as call } from '@atrium/contract/tickets/calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { z } from 'zod'
import { authorize, type Member, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { lockTicket, moveTicket, refuseClosed, type TicketRow, updateTicket } from './ticket.ts'

type Input = z.output<(typeof call)['input']>

const eventOf = { open: 'ticket.reopened', taken: 'ticket.marked-in-progress', resolved: 'ticket.resolved' } as const

/**
 * Lets a member close, reopen, mark as in progress or prioritize a ticket; setting the current value changes nothing.
 * Marking as in progress assigns nobody: only staff assign.
 */
export async function changeOwnTicket(member: Member, { _id, priority, status }: Input): Promise<TicketRow> {
  authorize(member, 'support')
  return inTransaction(member, async (tx) => {
    const ticket = await lockTicket(tx, member, _id)
    await refuseClosed(tx, member, ticket)
    const ranked = priority ? await setPriority(tx, member, ticket, priority) : ticket
    if (!status || status === ranked.state) return ranked
    const isHeld = ranked.state === 'taken' && ranked.taken_by !== null
    if (status === 'closed' || (isHeld && status === 'open')) refuse('illegal_move', ticketTexts.notUpdated)
    return moveTicket(tx, member, ranked, { to: status, event: eventOf[status] })
  })
}

export async function setPriority(
  tx: Tx,
  actor: Member | Staff,
  ticket: TicketRow,
  priority: string,
): Promise<TicketRow> {
  if (ticket.priority === priority) return ticket
  await updateTicket(tx, actor, ticket, { priority })
  await audit(tx, actor, {
    action: 'ticket.priority-changed',
    subject: { kind: 'ticket', id: ticket.ticket_id },
    memberId: ticket.member_id,
    before: { priority: ticket.priority },
    after: { priority },
  })
  return { ...ticket, priority }
}

/** Marks the conversation as read by its member. */
export async function readOwnTicket(member: Member, ticketId: string): Promise<void> {
  authorize(member, 'support')
  await inTransaction(member, async (tx) => {
    const ticket = await lockTicket(tx, member, ticketId)
    if (ticket.read_by_member === ticket.messages) return
    await updateTicket(tx, member, ticket, { read_by_member: ticket.messages })
  })
}
