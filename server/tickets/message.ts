import { limits } from '@atrium/contract/limits.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { sql } from 'kysely'
import { lockOwnFiles, validateUse } from '../files/own-files.ts'
import type { Member, Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { sameWithinMs } from './create.ts'
import type { TicketRow } from './ticket.ts'

export type MessageContent = { content: string | null; mediaId: string | null }
/** The conversation's counters, to be stored in the ticket's row. */
export type Counted = { messages: number; last_of_staff: number } | { messages: number; last_of_member: number }

/**
 * The place of a message `said` in conversations that also show other tickets and notes: its time, but never before its ticket or an
 * earlier message, since the clocks of two processes differ.
 */
export const placeInTime = sql<Date>`greatest(ticket.created_at,
  max(said.created_at) over (partition by said.ticket_id order by said.position))`

/** The same for staff: never before a note that was written before it. */
export const placeBesideNotes = sql<Date>`greatest(${placeInTime}, (select max(note.created_at) from ticket_notes as note
  where note.workspace_id = said.workspace_id and note.ticket_id = said.ticket_id and note.after_message < said.position))`

/** The place of a note: its time, but never before its ticket or the messages that it follows. */
export const placeOfNote = sql<Date>`greatest(tickets.created_at, ticket_notes.created_at,
  (select max(said.created_at) from ticket_messages as said where said.workspace_id = ticket_notes.workspace_id
    and said.ticket_id = ticket_notes.ticket_id and said.position <= ticket_notes.after_message))`

/** Appends a message to the conversation of a locked ticket. */
export async function addMessage(
  tx: Tx,
  actor: Member | Staff,
  ticket: TicketRow,
  { content, mediaId }: MessageContent,
): Promise<{ id: string; counted: Counted }> {
  const position = ticket.messages + 1
  if (position > limits.ticketMessagesMax) refuse('conflict', ticketTexts.full)
  const id = newId()
  await tx
    .insertInto('ticket_messages')
    .values({
      workspace_id: actor.workspaceId,
      message_id: id,
      ticket_id: ticket.ticket_id,
      member_id: ticket.member_id,
      position,
      type: mediaId === null ? 'message' : 'attachment',
      content,
      media_id: mediaId,
      ...(actor.kind === 'staff' && { staff_id: actor.staffId, staff_name: actor.name }),
      created_at: actor.context.clock.now(),
    })
    .execute()
  await audit(tx, actor, {
    action: 'ticket.answered',
    subject: { kind: 'ticket', id: ticket.ticket_id },
    memberId: ticket.member_id,
    // The text stays in the conversation and out of the log.
    after: { message: id, ...(mediaId !== null && { attachment: mediaId }) },
  })
  const last = actor.kind === 'staff' ? { last_of_staff: position } : { last_of_member: position }
  return { id, counted: { messages: position, ...last } }
}

/** The last message, if the same author sent the same content shortly before: a double click or a retry. */
export async function findSameMessage(
  tx: Tx,
  actor: Member | Staff,
  ticket: TicketRow,
  { content, mediaId }: MessageContent,
): Promise<string | null> {
  const row = await tx
    .selectFrom('ticket_messages')
    .select(['message_id', 'content', 'media_id', 'staff_id', 'created_at'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('ticket_id', '=', ticket.ticket_id)
    .where('position', '=', ticket.messages)
    .executeTakeFirst()
  if (!row || row.content !== content || row.media_id !== mediaId) return null
  if (row.staff_id !== (actor.kind === 'staff' ? actor.staffId : null)) return null
  const isRecent = row.created_at.getTime() > actor.context.clock.now().getTime() - sameWithinMs
  return isRecent || mediaId !== null ? row.message_id : null
}

/** Checks that the file is the member's own, unused and allowed as an attachment. */
export async function claimAttachment(tx: Tx, member: Member, mediaId: string): Promise<void> {
  const [file] = await lockOwnFiles(tx, member, [mediaId])
  if (!file?.isFree) refuseFields({ response: [ticketTexts.attachmentUnknown] })
  const said = validateUse(file, 'ticket')
  if (said) refuseFields({ response: [said] })
}
