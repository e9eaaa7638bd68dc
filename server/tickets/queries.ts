import { ticketStates, ticketStatusLabels } from '@atrium/contract/tickets/states.ts'
import { normalizeSearch } from '@atrium/contract/validators/identifier.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { containsText } from '../foundation/database/like-pattern.ts'
import { givenFilter, type Page, reachableRowsMax } from '../foundation/database/paging.ts'
import { placeInTime } from './message.ts'

/** The filters of a ticket list on the wire. */
export type TicketArgs = Partial<Record<'_id' | 'customer' | 'q' | 'status', string | null | undefined>>
type TicketFilter = { ticketId?: string; q?: string; states: readonly string[] }

const isUuid = (text: string) => z.uuid().safeParse(text).success

/** Null when nothing can match: another member's customer id, or a malformed id. */
export function filterOf({ _id, customer, q, status }: TicketArgs, memberId: string): TicketFilter | null {
  if (customer != null && customer.toLowerCase() !== memberId) return null
  if (_id != null && !isUuid(_id)) return null
  const words = normalizeSearch(q ?? '')
  const given = givenFilter(status)
  return {
    ...(_id != null && { ticketId: _id.toLowerCase() }),
    ...(words && { q: words }),
    states: given === undefined ? ticketStates : (ticketStatusLabels[given] ?? []),
  }
}

export type TicketShape = Awaited<ReturnType<typeof listTickets>>[number]

function selectFound(tx: Tx, member: Member, { ticketId, q, states }: TicketFilter) {
  const found = tx
    .selectFrom('tickets as ticket')
    .where('ticket.workspace_id', '=', member.workspaceId)
    .where('ticket.member_id', '=', member.memberId)
    .where('ticket.state', '=', sql<string>`any(${states}::text[])`)
  const named = ticketId === undefined ? found : found.where('ticket.ticket_id', '=', ticketId)
  return q === undefined ? named : named.where(matches(q))
}

/** By number, or by a part of the subject or description. */
function matches(q: string) {
  const number = /^#?(\d{1,15})$/.exec(q)?.[1]
  const words = sql<boolean>`(${containsText(sql`ticket.subject`, q)} or ${containsText(sql`ticket.description`, q)})`
  return number === undefined ? words : sql<boolean>`(ticket.number = ${number}::bigint or ${words})`
}

/** One page of the member's tickets, most recent change of state first. */
export function listTickets(tx: Tx, member: Member, filter: TicketFilter, page: Page) {
  return selectFound(tx, member, filter)
    .innerJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'ticket.workspace_id').onRef('owner.member_id', '=', 'ticket.member_id'),
    )
    .leftJoin('media as picture', (join) =>
      join
        .onRef('picture.workspace_id', '=', 'owner.workspace_id')
        .onRef('picture.media_id', '=', 'owner.picture_media_id'),
    )
    .leftJoin('tickets as other', (join) =>
      join.onRef('other.workspace_id', '=', 'ticket.workspace_id').onRef('other.ticket_id', '=', 'ticket.merged_into'),
    )
    .leftJoin('staff_pictures as face', (join) =>
      join.onRef('face.workspace_id', '=', 'ticket.workspace_id').onRef('face.staff_id', '=', 'ticket.taken_by'),
    )
    .selectAll('ticket')
    .select(
      sql<Date | null>`(select max(said.created_at) from ticket_messages said
        where said.workspace_id = ticket.workspace_id and said.ticket_id = ticket.ticket_id)`.as('last_reply_at'),
    )
    .select(sql<string>`owner.first_name || ' ' || owner.last_name`.as('owner_name'))
    .select(['face.picture_id as face_id', 'face.name as face_name'])
    .select(['owner.picture_media_id', 'picture.name as picture_name', 'other.number as merged_into_number'])
    .orderBy('ticket.state_since', 'desc')
    .orderBy('ticket.ticket_id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** Exact up to the last reachable page. */
export async function countTickets(tx: Tx, member: Member, filter: TicketFilter): Promise<number> {
  const { count } = await tx
    .selectFrom(selectFound(tx, member, filter).select(sql`1`.as('one')).limit(reachableRowsMax).as('matching'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export type MessageShape = Awaited<ReturnType<typeof listMessages>>[number]

/**
 * The messages of these tickets and of tickets merged into them, in order; a merged ticket includes its first text,
 * even without messages. A conversation holds at most `limits.ticketMessagesMax`.
 */
export function listMessages(tx: Tx, member: Member, ticketIds: readonly string[]) {
  return tx
    .selectFrom('tickets as ticket')
    .leftJoin('ticket_messages as said', (join) =>
      join.onRef('said.workspace_id', '=', 'ticket.workspace_id').onRef('said.ticket_id', '=', 'ticket.ticket_id'),
    )
    .leftJoin('media', (join) =>
      join.onRef('media.workspace_id', '=', 'said.workspace_id').onRef('media.media_id', '=', 'said.media_id'),
    )
    .leftJoin('staff_pictures as face', (join) =>
      join.onRef('face.workspace_id', '=', 'said.workspace_id').onRef('face.staff_id', '=', 'said.staff_id'),
    )
    .select(['face.picture_id as face_id', 'face.name as face_name'])
    .select(['ticket.ticket_id', 'ticket.merged_into', 'ticket.created_at as filed_at', 'said.message_id'])
    .select(
      sql<string | null>`case when ticket.merged_into is not null
      then format(E'#%s %s\n%s', ticket.number, ticket.subject, ticket.description) end`.as('filed'),
    )
    .select(['said.type', 'said.content', 'said.staff_id', 'said.staff_name', 'said.created_at'])
    .select(placeInTime.as('placed_at'))
    .select(['media.media_id', 'media.name as media_name', 'media.kind as media_kind', 'media.extension'])
    .select(['media.size_bytes', 'media.scan', 'media.created_at as uploaded_at'])
    .where('ticket.workspace_id', '=', member.workspaceId)
    .where('ticket.member_id', '=', member.memberId)
    .where((where) =>
      where.or([where('ticket.ticket_id', 'in', ticketIds), where('ticket.merged_into', 'in', ticketIds)]),
    )
    .orderBy('placed_at')
    .orderBy('said.position')
    .orderBy('said.message_id')
    .execute()
}
