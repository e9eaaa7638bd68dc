import { createTicket as createCall } from '@atrium/contract/tickets.ts'
import type { Member, Staff, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { createTicket } from '../tickets/create.ts'
import { noteOnTicket, replyToTicket } from '../tickets/desk-answers.ts'
import { respondToTicket } from '../tickets/respond.ts'
import { memberActor } from './harbour.ts'
import { addMedia } from './harbour-papers.ts'
import { nextCount } from './made.ts'

type Values = { subject?: string; description?: string; model_id?: string }

/** A ticket that the member filed, other words each time. */
export async function addTicket(member: Member, values: Values = {}): Promise<string> {
  const input = { subject: `A question ${nextCount()}`, description: 'Where is my money?', type: 'profile', ...values }
  return (await createTicket(member, createCall.input.parse(input)))._id
}

/** A file that may be attached to a ticket and is attached to nothing yet. */
export const addAttachable = (system: System, memberId: string): Promise<string> =>
  addMedia(system, { memberId, purpose: 'ticket', name: 'statement.pdf' })

/** For the tests of every table: a conversation with everything in it, and what colleagues keep beside. */
export async function fillTickets(system: System, staff: Staff, memberIds: string[]): Promise<void> {
  for (const memberId of memberIds) {
    const member = await memberActor(system, memberId)
    const id = await addTicket(member)
    const attachment = await addAttachable(system, memberId)
    await respondToTicket(member, id, { type: 'attachment', content: 'My statement', attachment })
    await replyToTicket(staff, { id, content: 'On its way.', resolves: false })
    await noteOnTicket(staff, id, 'Asked twice already')
  }
  await inTransaction(staff, (tx) =>
    tx
      .insertInto('canned_replies')
      .values({
        workspace_id: system.workspaceId,
        reply_id: newId(),
        name: 'Greeting',
        content: 'Good morning.',
        created_at: system.ground.clock.now(),
      })
      .execute(),
  )
}
