import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { changeDeskTicket as changeCall, replyToTicket as replyCall } from '@atrium/contract/tickets/desk-calls.ts'
import type { TicketState } from '@atrium/contract/tickets/states.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { selectColleagues } from '../staff/colleagues.ts'
import { sameWithinMs } from './create.ts'
import { addMessage, findSameMessage, type MessageContent } from './message.ts'
import { notifyMember } from './notifications.ts'
import {
  holderOf,
  lockTicket,
  lockTicketForWords,
  moveTicket,
  refuseClosed,
  type TicketRow,
  updateTicket,
} from './ticket.ts'
import { setPriority } from './update.ts'

type Hands = { from: string | null; to: string | null }

/**
 * Assigns a ticket, or unassigns it; repeating the current assignment changes nothing. The caller names the current
 * assignee: of two concurrent calls the second is refused with the name of the new assignee.
 */
export async function assignTicket(staff: Staff, id: string, { from, to }: Hands): Promise<void> {
  authorizeStaff(staff, 'tickets.answer')
  await inTransaction(staff, async (tx) => {
    const ticket = await lockTicket(tx, staff, id)
    await refuseClosed(tx, staff, ticket)
    const holder = ticket.state === 'taken' ? ticket.taken_by : null
    if (holder === to && (to !== null || ticket.state !== 'taken')) return
    if (holder !== from) refuseHeld(ticket, holder)
    if (to === null) {
      await moveTicket(tx, staff, ticket, { to: 'open', event: 'ticket.let-go' })
      return
    }
    const colleague = await findColleague(tx, staff, to)
    const event = holder === null ? 'ticket.taken' : 'ticket.handed-over'
    await moveTicket(tx, staff, ticket, { to: 'taken', event, holder: holderOf(colleague) })
  })
}

function refuseHeld({ taken_by_name }: TicketRow, holder: string | null): never {
  if (holder === null) refuse('conflict', deskTexts.ticketHeldByNobody)
  refuse('conflict', deskTexts.ticketTakenBy.replace('{{name}}', taken_by_name ?? ''))
}

async function findColleague(tx: Tx, staff: Staff, staffId: string): Promise<Pick<Staff, 'staffId' | 'name'>> {
  const row = await selectColleagues(tx, staff, 'tickets.answer').where('staff_id', '=', staffId).executeTakeFirst()
  return row ? { staffId: row.staff_id, name: row.name } : refuseFields({ to: [deskTexts.colleagueUnknown] })
}

type Reply = z.output<(typeof replyCall)['input']>

/**
 * Answers the member. Answering an unassigned ticket assigns it; answering a colleague's ticket leaves it assigned to
 * them.
 */
export async function replyToTicket(staff: Staff, { id, content, resolves, ...seen }: Reply): Promise<void> {
  authorizeStaff(staff, 'tickets.answer')
  await inTransaction(staff, async (tx) => {
    const ticket = await lockTicketForWords(tx, staff, id)
    await refuseClosed(tx, staff, ticket)
    const said = { content, mediaId: null }
    const isRepeated = (await findSameMessage(tx, staff, ticket, said)) !== null
    if (isRepeated && (!resolves || ticket.state === 'resolved')) return
    if (resolves) refuseUnread(ticket, seen)
    // The member has this answer already; what is new is that it ends the ticket.
    if (isRepeated) await resolveTicket(tx, staff, ticket)
    else await answerMember(tx, staff, ticket, { said, resolves })
  })
}

async function resolveTicket(tx: Tx, staff: Staff, ticket: TicketRow): Promise<void> {
  const done = await moveTicket(tx, staff, ticket, { to: 'resolved', event: 'ticket.resolved' })
  await notifyMember(tx, staff, done, 'resolved', { key: `${ticket.ticket_id}-${done.state_since.getTime()}` })
}

type Seen = { seen_state?: TicketState | undefined; seen_messages?: number | undefined }

/** A question that was asked meanwhile would be in no queue any more. */
function refuseUnread({ last_of_member }: TicketRow, { seen_messages: seen }: Seen): void {
  if (seen !== undefined && last_of_member > seen) refuse('conflict', deskTexts.ticketAnsweredMeanwhile)
}

type DeskAnswer = { said: MessageContent; resolves: boolean }

/** The caller has locked the ticket and checked that it is not closed. */
export async function answerMember(
  tx: Tx,
  staff: Staff,
  ticket: TicketRow,
  { said, resolves }: DeskAnswer,
): Promise<void> {
  const held =
    ticket.state === 'taken' && ticket.taken_by !== null
      ? ticket
      : await moveTicket(tx, staff, ticket, { to: 'taken', event: 'ticket.taken', holder: holderOf(staff) })
  const { id: messageId, counted } = await addMessage(tx, staff, held, said)
  const first_answered_at = held.first_answered_at ?? staff.context.clock.now()
  await updateTicket(tx, staff, held, { ...counted, first_answered_at })
  const answered = { ...held, ...counted, first_answered_at }
  await keepRead(tx, staff, answered)
  if (resolves) await moveTicket(tx, staff, answered, { to: 'resolved', event: 'ticket.resolved' })
  await notifyMember(tx, staff, answered, 'answered', { key: messageId })
}

/** Adds an internal note, in a table that members cannot read, without notifying anyone. */
export async function noteOnTicket(staff: Staff, id: string, content: string): Promise<void> {
  authorizeStaff(staff, 'tickets.answer')
  await inTransaction(staff, async (tx) => {
    const ticket = await lockTicketForWords(tx, staff, id)
    const last = await tx
      .selectFrom('ticket_notes')
      .select(['content', 'staff_id', 'created_at'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('ticket_id', '=', id)
      .orderBy('created_at', 'desc')
      .orderBy('note_id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const now = staff.context.clock.now()
    // The same note again within this time is a double click or a retry; later it is a new one.
    const isRecent = last !== undefined && last.created_at.getTime() > now.getTime() - sameWithinMs
    if (isRecent && last.content === content && last.staff_id === staff.staffId) return
    const note_id = newId()
    // Never before the note before it: the clocks of two processes differ, and one counts milliseconds.
    const at = new Date(Math.max(now.getTime(), last ? last.created_at.getTime() + 1 : 0))
    await tx
      .insertInto('ticket_notes')
      .values({
        workspace_id: staff.workspaceId,
        note_id,
        ticket_id: id,
        member_id: ticket.member_id,
        content,
        staff_id: staff.staffId,
        staff_name: staff.name,
        created_at: at,
        after_message: ticket.messages,
      })
      .execute()
    // Without a member, because members may read their own entries and must not learn of notes.
    await audit(tx, staff, { action: 'ticket.noted', subject: { kind: 'ticket', id }, after: { note: note_id } })
  })
}

type Change = z.output<(typeof changeCall)['input']>

export async function changeDeskTicket(staff: Staff, { id, status, priority, ...seen }: Change): Promise<void> {
  authorizeStaff(staff, 'tickets.answer')
  await inTransaction(staff, async (tx) => {
    const ticket = await lockTicket(tx, staff, id)
    await refuseClosed(tx, staff, ticket)
    const ranked = priority ? await setPriority(tx, staff, ticket, priority) : ticket
    if (!status || status === ranked.state) return
    if (seen.seen_state !== undefined && seen.seen_state !== ranked.state) refuse('conflict', deskTexts.ticketMoved)
    if (status === 'resolved') {
      refuseUnread(ranked, seen)
      return resolveTicket(tx, staff, ranked)
    }
    const isReopened = ranked.state === 'resolved'
    const event = isReopened ? 'ticket.reopened' : 'ticket.let-go'
    const open = await moveTicket(tx, staff, ranked, { to: 'open', event })
    if (isReopened) await notifyMember(tx, staff, open, 'reopened', { key: `${id}-${open.state_since.getTime()}` })
  })
}

/** Marks the conversation as read by the caller. */
export async function markTicketRead(staff: Staff, id: string): Promise<void> {
  authorizeStaff(staff, 'tickets.answer')
  await inTransaction(staff, async (tx) => keepRead(tx, staff, await lockTicket(tx, staff, id)))
}

async function keepRead(tx: Tx, staff: Staff, { ticket_id, messages }: TicketRow): Promise<void> {
  await tx
    .insertInto('ticket_reads')
    .values({ workspace_id: staff.workspaceId, ticket_id, staff_id: staff.staffId, position: messages })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'ticket_id', 'staff_id'])
        .doUpdateSet({ position: messages })
        .where('ticket_reads.position', '<', messages),
    )
    .execute()
}
