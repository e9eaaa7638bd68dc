import { builder } from '../graph/builder.ts'
import { keepCount } from '../graph/paging.ts'

type PersonShape = { _id: string; name: string }
type AttachmentShape = {
  _id: string
  url: string
  name: string
  title: string | null
  type: string
  extension: string
  size_bytes: number
  created_at: Date
}
type EntryShape = {
  uid: string
  type: string
  content: string | null
  attachment: AttachmentShape | null
  created_by: PersonShape
  created_at: Date
}
type TicketShape = {
  _id: string
  ticket: string
  type: string
  priority: string
  subject: string
  status: string
  description: string
  customer: PersonShape
  taken_by: PersonShape | null
  created_at: Date
  response: string | null
  conversation: EntryShape[]
}

const ticket = builder.objectRef<TicketShape>('Ticket')
const entry = builder.objectRef<EntryShape>('ConversationEntry')
const attachment = builder.objectRef<AttachmentShape>('Attachment')

/** No workspace has tickets yet: the list is empty, not missing. */
export function describeTickets(): void {
  describeConversation()
  const model = builder.unionType('TicketModel', {
    types: ['TradingAccount', 'BalanceTransaction', 'PlatformDownload'],
    resolveType: () => null,
  })
  ticket.implement({
    fields: (t) => ({
      _id: t.exposeID('_id'),
      ticket: t.exposeString('ticket'),
      type: t.exposeString('type'),
      priority: t.exposeString('priority'),
      subject: t.exposeString('subject'),
      status: t.exposeString('status'),
      description: t.exposeString('description'),
      customer: t.expose('customer', { type: 'Person' }),
      taken_by: t.expose('taken_by', { type: 'Person', nullable: true }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      response: t.exposeString('response', { nullable: true }),
      conversation: t.expose('conversation', { type: [entry] }),
      model: t.field({ type: model, nullable: true, resolve: () => null }),
    }),
  })
  builder.queryField('tickets', (t) =>
    t.field({
      type: [ticket],
      args: {
        _id: t.arg.id(),
        customer: t.arg.id(),
        q: t.arg.string(),
        status: t.arg.string(),
        limit: t.arg.int(),
        page: t.arg.int(),
        withCount: t.arg.boolean(),
      },
      resolve: (_root, args, context, info) => {
        if (args.withCount) keepCount(context, info, 0)
        return []
      },
    }),
  )
}

function describeConversation(): void {
  attachment.implement({
    fields: (t) => ({
      _id: t.exposeID('_id'),
      url: t.exposeString('url'),
      name: t.exposeString('name'),
      title: t.exposeString('title', { nullable: true }),
      type: t.exposeString('type'),
      extension: t.exposeString('extension'),
      size_bytes: t.exposeInt('size_bytes'),
      created_at: t.expose('created_at', { type: 'Millis' }),
    }),
  })
  entry.implement({
    fields: (t) => ({
      uid: t.exposeID('uid'),
      type: t.exposeString('type'),
      content: t.exposeString('content', { nullable: true }),
      attachment: t.expose('attachment', { type: attachment, nullable: true }),
      created_by: t.expose('created_by', { type: 'Person' }),
      created_at: t.expose('created_at', { type: 'Millis' }),
    }),
  })
}
