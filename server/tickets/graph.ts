import { limits } from '@atrium/contract/limits.ts'
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import { accountLoader } from '../accounts/graph.ts'
import { readDownloads } from '../downloads/queries.ts'
import { mediaUrl } from '../files/media.ts'
import { readPage } from '../foundation/database/paging.ts'
import { readTransactions } from '../funding/queries.ts'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { type CountedPageArgs, pageArgs, readCounted } from '../graphql/paging.ts'
import type { MessageShape, TicketArgs, TicketShape } from './queries.ts'
import * as queries from './queries.ts'

/** A message, or the first text of a merged ticket. */
type Entry = { uid: string; content: string | null; at: Date; staff: string | null; said: MessageShape | null } & {
  placedAt: Date
  ticket: TicketShape
}
type File = MessageShape & Record<'media_id' | 'media_name' | 'extension' | 'scan', string> & { uploaded_at: Date }

const ticket = builder.objectRef<TicketShape>('Ticket')
const mergedInto = builder.objectRef<TicketShape>('MergedInto')
const entry = builder.objectRef<Entry>('ConversationEntry')
const attachment = builder.objectRef<File>('Attachment')

/** Loads the messages of all tickets in a list in one statement, including those of merged tickets. */
const messageLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, MessageShape[]>(async (ids) => {
    const rows = await read((tx) => queries.listMessages(tx, member, ids))
    return ids.map((id) => rows.filter(({ ticket_id, merged_into }) => ticket_id === id || merged_into === id))
  })

const transactionLoader = ({ read, member }: GraphContext) =>
  new DataLoader(async (ids: readonly string[]) => {
    const rows = await read((tx) => readTransactions(tx, member, ids))
    return ids.map((id) => rows.find(({ transaction_id }) => transaction_id === id) ?? null)
  })

const downloadLoader = ({ read, member }: GraphContext) =>
  new DataLoader(async (ids: readonly string[]) => {
    const rows = await read((tx) => readDownloads(tx, member, ids))
    return ids.map((id) => rows.find(({ download_id }) => download_id === id) ?? null)
  })

async function conversationOf(row: TicketShape, context: GraphContext): Promise<Entry[]> {
  const rows = await context.own(messageLoader).load(row.ticket_id)
  const merged = new Map(
    rows.filter(({ merged_into }) => merged_into === row.ticket_id).map((one) => [one.ticket_id, one]),
  )
  const entries: Entry[] = [...merged.values()].map(({ ticket_id, filed, filed_at }) => ({
    ...{ uid: ticket_id, content: filed, at: filed_at, placedAt: filed_at, staff: null, said: null },
    ticket: row,
  }))
  for (const said of rows) {
    const { message_id, content, created_at: at, placed_at: placedAt, staff_name: staff } = said
    if (message_id && at) entries.push({ uid: message_id, content, at, placedAt, staff, said, ticket: row })
  }
  return entries.sort((left, right) => left.placedAt.getTime() - right.placedAt.getTime())
}

const isFile = (said: MessageShape | null): said is File => said?.media_id != null

const pictureOf = (id: string | null, name: string | null) =>
  id && name ? { _id: id, type: 'image', url: mediaUrl({ media_id: id, name }), title: null, description: null } : null

const ownerOf = ({ member_id, owner_name, picture_media_id, picture_name }: TicketShape) => ({
  _id: member_id,
  name: owner_name,
  profile_pic: pictureOf(picture_media_id, picture_name),
})

type Face = { face_id: string | null; face_name: string | null }

const colleagueOf = (id: string, name: string, { face_id, face_name }: Face) => ({
  _id: id,
  name,
  profile_pic: pictureOf(face_id, face_name),
})

type ListArgs = TicketArgs & CountedPageArgs

async function ticketsOf(args: ListArgs, context: GraphContext, info: GraphQLResolveInfo): Promise<TicketShape[]> {
  const { member } = context
  const filter = queries.filterOf(args, member.memberId)
  const page = readPage(args, limits.ticketsPageSize)
  return readCounted(context, info, args.withCount, {
    rows: async (tx) => (filter && page ? queries.listTickets(tx, member, filter, page) : []),
    count: async (tx) => (filter ? queries.countTickets(tx, member, filter) : 0),
  })
}

function modelOf({ account_id, transaction_id, download_id }: TicketShape, context: GraphContext) {
  if (account_id) return accountLoader(context).load(account_id)
  if (transaction_id) return context.own(transactionLoader).load(transaction_id)
  return download_id ? context.own(downloadLoader).load(download_id) : null
}

export function describeTickets(): void {
  describeConversation()
  const model = builder.unionType('TicketModel', {
    types: ['TradingAccount', 'BalanceTransaction', 'PlatformDownload'],
    resolveType: (row) => {
      if ('transaction_id' in row) return 'BalanceTransaction'
      return 'download_id' in row ? 'PlatformDownload' : 'TradingAccount'
    },
  })
  mergedInto.implement({
    fields: (t) => ({
      _id: t.id({ resolve: ({ merged_into }) => merged_into ?? '' }),
      ticket: t.string({ resolve: ({ merged_into_number }) => merged_into_number ?? '' }),
    }),
  })
  ticket.implement({
    fields: (t) => ({
      _id: t.exposeID('ticket_id'),
      ticket: t.exposeString('number'),
      type: t.exposeString('type'),
      priority: t.exposeString('priority'),
      subject: t.exposeString('subject'),
      status: t.exposeString('state'),
      description: t.exposeString('description'),
      customer: t.field({ type: 'Person', resolve: ownerOf }),
      taken_by: t.field({
        type: 'Person',
        nullable: true,
        resolve: ({ taken_by, taken_by_name, ...face }) =>
          taken_by && taken_by_name ? colleagueOf(taken_by, taken_by_name, face) : null,
      }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      last_reply_at: t.expose('last_reply_at', { type: 'Millis', nullable: true }),
      // Legacy field for a single answer, which our tickets never have.
      response: t.string({ nullable: true, resolve: () => null }),
      conversation: t.field({
        reads: 1,
        usualLength: 20,
        type: [entry],
        resolve: (row, _args, context) => conversationOf(row, context),
      }),
      model: t.field({
        unguarded: 'a ticket names what it is about',
        reads: 3,
        type: model,
        nullable: true,
        resolve: (row, _args, context) => modelOf(row, context),
      }),
      is_unread: t.boolean({ resolve: ({ last_of_staff, read_by_member }) => last_of_staff > read_by_member }),
      merged_into: t.field({
        type: mergedInto,
        nullable: true,
        resolve: (row) => (row.merged_into === null ? null : row),
      }),
    }),
  })
  builder.queryField('tickets', (t) =>
    t.field({
      scopes: ['support'],
      reads: 1,
      type: [ticket],
      args: {
        _id: t.arg.id(),
        customer: t.arg.id(),
        q: t.arg.string(),
        status: t.arg.string(),
        ...pageArgs,
      },
      resolve: (_root, args, context, info) => ticketsOf(args, context, info),
    }),
  )
}

function describeConversation(): void {
  attachment.implement({
    fields: (t) => ({
      _id: t.exposeID('media_id'),
      url: t.string({ resolve: ({ media_id, media_name: name }) => mediaUrl({ media_id, name }) }),
      name: t.exposeString('media_name'),
      title: t.exposeString('media_name', { nullable: true }),
      type: t.string({ resolve: ({ media_kind }) => (media_kind === 'image' ? 'image' : 'document') }),
      extension: t.exposeString('extension'),
      size_bytes: t.int({ resolve: ({ size_bytes }) => Number(size_bytes) }),
      scan: t.exposeString('scan'),
      created_at: t.expose('uploaded_at', { type: 'Millis' }),
    }),
  })
  entry.implement({
    fields: (t) => ({
      uid: t.exposeID('uid'),
      type: t.string({ resolve: ({ said }) => said?.type ?? 'message' }),
      content: t.exposeString('content', { nullable: true }),
      attachment: t.field({
        type: attachment,
        nullable: true,
        resolve: ({ said }) => (isFile(said) ? said : null),
      }),
      created_by: t.field({
        type: 'Person',
        resolve: ({ said, staff, ticket: row }) =>
          said?.staff_id && staff ? colleagueOf(said.staff_id, staff, said) : ownerOf(row),
      }),
      is_staff: t.boolean({ resolve: ({ staff }) => staff !== null }),
      created_at: t.expose('at', { type: 'Millis' }),
    }),
  })
}
