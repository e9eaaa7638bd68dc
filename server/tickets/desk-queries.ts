import type { Scan } from '@atrium/contract/files/calls.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import type { TicketState } from '@atrium/contract/tickets/states.ts'
import { sql } from 'kysely'
import { mediaUrl } from '../files/media.ts'
import { closureOf } from '../files/scanning.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { listColleagues } from '../staff/colleagues.ts'
import { selectDeskTickets, shapeRow } from './desk-list.ts'
import { placeBesideNotes, placeOfNote } from './message.ts'
import type { TicketRow } from './ticket.ts'

const transactionsShown = 5
const ticketsShown = 10

/** One ticket with everything an answer needs: conversation, subject and member. */
export function readDeskTicket(staff: Staff, ticketId: string): Promise<DeskTicket> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await selectDeskTickets(tx, staff).where('ticket.ticket_id', '=', ticketId).executeTakeFirst()
    if (!row) refuseNotFound()
    const colleagues = await listColleagues(tx, staff, 'tickets.answer')
    return {
      ...shapeRow(row, staff),
      description: row.description,
      resolved_at: row.resolved_at?.getTime() ?? null,
      messages: row.messages,
      merged_into: await readMergedInto(tx, staff, row),
      about: await readAbout(tx, staff, row),
      conversation: await readConversation(tx, staff, row),
      context: await readContext(tx, staff, row),
      colleagues: colleagues.map(({ staff_id, name }) => ({ _id: staff_id, name })),
    }
  })
}

async function readMergedInto(tx: Tx, staff: Staff, { merged_into }: TicketRow): Promise<DeskTicket['merged_into']> {
  if (merged_into === null) return null
  const row = await tx
    .selectFrom('tickets')
    .select(['ticket_id as _id', 'number as ticket'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('ticket_id', '=', merged_into)
    .executeTakeFirst()
  return row ?? null
}

type Entry = DeskTicket['conversation'][number]
/** `after`: how many messages of its ticket an entry follows, for entries of one moment. */
type Placed = Entry & { placedAt: number; after: number }

/** Messages, notes and the conversations of merged tickets, in order of time. */
async function readConversation(tx: Tx, staff: Staff, ticket: TicketRow): Promise<DeskTicket['conversation']> {
  const messages = await readMessages(tx, staff, ticket.ticket_id)
  const notes = await tx
    .selectFrom('ticket_notes')
    .innerJoin('tickets', (join) =>
      join
        .onRef('tickets.workspace_id', '=', 'ticket_notes.workspace_id')
        .onRef('tickets.ticket_id', '=', 'ticket_notes.ticket_id'),
    )
    .select(['note_id', 'content', 'staff_id', 'staff_name', 'ticket_notes.created_at', 'after_message'])
    .select(placeOfNote.as('placed_at'))
    .where('tickets.workspace_id', '=', staff.workspaceId)
    .where((where) =>
      where.or([where('tickets.ticket_id', '=', ticket.ticket_id), where('merged_into', '=', ticket.ticket_id)]),
    )
    .orderBy('ticket_notes.created_at')
    .orderBy('note_id')
    .execute()
  const merged = await tx
    .selectFrom('tickets')
    .select(['ticket_id', 'number', 'subject', 'description', 'created_at'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('merged_into', '=', ticket.ticket_id)
    .execute()
  const beside: Placed[] = [
    ...merged.map(({ ticket_id, number, subject, description, created_at }) => ({
      _id: ticket_id,
      kind: 'merged' as const,
      content: `#${number} ${subject}\n${description}`,
      attachment: null,
      by: null,
      at: created_at.getTime(),
      placedAt: created_at.getTime(),
      after: -1,
    })),
    ...notes.map(({ note_id, content, staff_id, staff_name, created_at, after_message, placed_at }) => ({
      _id: note_id,
      kind: 'note' as const,
      content,
      attachment: null,
      by: { _id: staff_id, name: staff_name },
      at: created_at.getTime(),
      placedAt: placed_at.getTime(),
      after: after_message ?? 0,
    })),
  ]
  return [...messages, ...beside]
    .sort((left, right) => left.placedAt - right.placedAt || left.after - right.after)
    .map(({ placedAt: _, after: __, ...entry }): Entry => entry)
}

async function readMessages(tx: Tx, staff: Staff, ticketId: string): Promise<Placed[]> {
  const rows = await tx
    .selectFrom('tickets as ticket')
    .innerJoin('ticket_messages as said', (join) =>
      join.onRef('said.workspace_id', '=', 'ticket.workspace_id').onRef('said.ticket_id', '=', 'ticket.ticket_id'),
    )
    .leftJoin('media', (join) =>
      join.onRef('media.workspace_id', '=', 'said.workspace_id').onRef('media.media_id', '=', 'said.media_id'),
    )
    .select(['said.message_id', 'said.content', 'said.staff_id', 'said.staff_name', 'said.created_at'])
    .select('said.position')
    .select(placeBesideNotes.as('placed_at'))
    .select(['media.media_id', 'media.name', 'media.extension', 'media.kind', 'media.size_bytes', 'media.scan'])
    .where('ticket.workspace_id', '=', staff.workspaceId)
    .where((where) => where.or([where('ticket.ticket_id', '=', ticketId), where('merged_into', '=', ticketId)]))
    .orderBy('placed_at')
    .orderBy('said.position')
    .orderBy('said.message_id')
    .execute()
  return rows.map(({ media_id, name, extension, ...row }) => ({
    _id: row.message_id,
    kind: 'message' as const,
    content: row.content,
    attachment:
      media_id && name !== null && extension !== null
        ? {
            _id: media_id,
            name,
            extension,
            is_image: row.kind === 'image',
            size_bytes: Number(row.size_bytes),
            url: `/cp${mediaUrl({ media_id, name })}`,
            scan: row.scan as Scan,
            ...closureOf(staff, row.scan ?? ''),
          }
        : null,
    by: row.staff_id && row.staff_name ? { _id: row.staff_id, name: row.staff_name } : null,
    at: row.created_at.getTime(),
    placedAt: row.placed_at.getTime(),
    after: row.position,
  }))
}

async function readAbout(tx: Tx, staff: Staff, ticket: TicketRow): Promise<DeskTicket['about']> {
  if (ticket.download_id) return readDownload(tx, staff, ticket.download_id)
  if (ticket.transaction_id) return readTransaction(tx, staff, ticket.transaction_id)
  return ticket.account_id ? readAccount(tx, staff, ticket.account_id) : null
}

async function readAccount(tx: Tx, staff: Staff, id: string): Promise<DeskTicket['about']> {
  const row = await tx
    .selectFrom('trading_accounts as account')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .select(['account.platform_login', 'account.balance', 'account.currency', 'platform.type as platform_type'])
    .where('account.workspace_id', '=', staff.workspaceId)
    .where('account.account_id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const balance = row.balance === null ? null : toScale(row.balance, row.currency)
  return { kind: 'account', _id: id, ...row, balance }
}

async function readTransaction(tx: Tx, staff: Staff, id: string): Promise<DeskTicket['about']> {
  const row = await tx
    .selectFrom('balance_transactions as transaction')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'transaction.workspace_id')
        .onRef('account.account_id', '=', 'transaction.account_id'),
    )
    .select([
      'transaction.ticket',
      'transaction.type',
      'transaction.amount',
      'transaction.currency',
      'account.platform_login',
    ])
    .where('transaction.workspace_id', '=', staff.workspaceId)
    .where('transaction.transaction_id', '=', id)
    .executeTakeFirst()
  return row ? { kind: 'transaction', _id: id, ...row, amount: toScale(row.amount, row.currency) } : null
}

async function readDownload(tx: Tx, staff: Staff, id: string): Promise<DeskTicket['about']> {
  const row = await tx
    .selectFrom('platform_downloads as download')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'download.workspace_id')
        .onRef('platform.platform_id', '=', 'download.platform_id'),
    )
    .select(['platform.name as platform', 'download.system', 'download.name'])
    .where('download.workspace_id', '=', staff.workspaceId)
    .where('download.download_id', '=', id)
    .executeTakeFirst()
  return row ? { kind: 'download', _id: id, ...row } : null
}

async function readContext(tx: Tx, staff: Staff, ticket: TicketRow): Promise<DeskTicket['context']> {
  const accounts = (live: boolean) => sql<number>`(select count(*)::int from trading_accounts as account
    where account.workspace_id = members.workspace_id and account.member_id = members.member_id
      and account.live_account = ${live} and not account.deleted)`
  const pictureName = sql<string | null>`(select name from media
    where media.workspace_id = members.workspace_id and media.media_id = members.picture_media_id)`
  const row = await tx
    .selectFrom('members')
    .select(['email', 'status', 'documents_status', 'created_at', 'picture_media_id', pictureName.as('picture_name')])
    .select([accounts(true).as('live_accounts'), accounts(false).as('demo_accounts')])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', ticket.member_id)
    .executeTakeFirstOrThrow()
  const { created_at, picture_media_id, picture_name, ...rest } = row
  return {
    ...rest,
    since: created_at.getTime(),
    picture:
      picture_media_id && picture_name !== null
        ? `/cp${mediaUrl({ media_id: picture_media_id, name: picture_name })}`
        : null,
    transactions: await readTransactions(tx, staff, ticket.member_id),
    tickets: await readOtherTickets(tx, staff, ticket),
  }
}

async function readTransactions(
  tx: Tx,
  staff: Staff,
  memberId: string,
): Promise<DeskTicket['context']['transactions']> {
  const rows = await tx
    .selectFrom('balance_transactions')
    .select(['transaction_id as _id', 'ticket', 'type', 'state', 'amount', 'currency'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .orderBy('created_at', 'desc')
    .orderBy('transaction_id', 'desc')
    .limit(transactionsShown)
    .execute()
  return rows.map((row) => ({ ...row, amount: toScale(row.amount, row.currency) }))
}

async function readOtherTickets(tx: Tx, staff: Staff, ticket: TicketRow): Promise<DeskTicket['context']['tickets']> {
  const rows = await tx
    .selectFrom('tickets')
    .select(['ticket_id as _id', 'number as ticket', 'subject', 'state'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', ticket.member_id)
    .where('ticket_id', '<>', ticket.ticket_id)
    .where('state', '<>', 'closed')
    .orderBy('state_since', 'desc')
    .orderBy('ticket_id', 'desc')
    .limit(ticketsShown)
    .execute()
  return rows.map(({ state, ...row }) => ({ ...row, state: state as TicketState }))
}
