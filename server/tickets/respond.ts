import type { TicketResponse, WireTicket } from '@atrium/contract/tickets/calls.ts'
import { authorize, type Member, systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { addMessage, claimAttachment, findSameMessage } from './message.ts'
import { lockTicket, moveTicket, refuseClosed, updateTicket, wireTicket } from './ticket.ts'

const perMember: Limit = { name: 'ticket-messages', triesMax: 60, windowSeconds: 15 * 60 }

type Responded = { ticket: WireTicket; message: { uid: string } }

/** Adds a member's message. Reopens a resolved ticket. */
export async function respondToTicket(
  member: Member,
  ticketId: string,
  { content, attachment }: TicketResponse,
): Promise<Responded> {
  authorize(member, 'support')
  await takeTry(systemActor(member.context, member.workspaceId), perMember, member.memberId)
  const said = { content: content || null, mediaId: attachment ?? null }
  return inTransaction(member, async (tx) => {
    const ticket = await lockTicket(tx, member, ticketId)
    await refuseClosed(tx, member, ticket)
    const isResolved = ticket.state === 'resolved'
    const earlier = await findSameMessage(tx, member, ticket, said)
    // The same words after the ticket was closed mean that the member is not content; a file cannot be sent twice.
    if (earlier && (!isResolved || said.mediaId)) return { ticket: wireTicket(ticket), message: { uid: earlier } }
    if (said.mediaId) await claimAttachment(tx, member, said.mediaId)
    const open = isResolved ? await moveTicket(tx, member, ticket, { to: 'open', event: 'ticket.reopened' }) : ticket
    const { id, counted } = await addMessage(tx, member, open, said)
    await updateTicket(tx, member, open, counted)
    return { ticket: wireTicket(open), message: { uid: id } }
  })
}
