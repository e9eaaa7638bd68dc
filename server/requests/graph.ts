import { builder } from '../graph/builder.ts'
import { keepCount } from '../graph/paging.ts'

type PersonShape = { _id: string; name: string }
type RequestShape = {
  _id: string
  subject: string
  description: string | null
  number: string
  priority: string
  status: string
  assigned_user: PersonShape | null
  customer: PersonShape
  created_by: PersonShape | null
  entity: string | null
  created_at: Date
  comment: string | null
  request_type: never
  form_data: string | null
}
const request = builder.objectRef<RequestShape>('Request')

/** No workspace has request types yet, hence no requests: the lists are empty, not missing. */
export function describeRequests(): void {
  describeRequestType()
  describeRequest()
  builder.queryFields((t) => ({
    requests_types: t.field({
      type: ['RequestType'],
      args: { show_in_portal: t.arg.boolean() },
      resolve: () => [],
    }),
    request_type: t.field({
      type: 'RequestType',
      nullable: true,
      args: { _id: t.arg.id({ required: true }) },
      resolve: () => null,
    }),
    requests: t.field({
      type: [request],
      args: {
        customer: t.arg.id(),
        scope: t.arg.string(),
        q: t.arg.string(),
        status: t.arg.string(),
        created_at: t.arg({ type: 'Millis' }),
        limit: t.arg.int(),
        page: t.arg.int(),
        withCount: t.arg.boolean(),
      },
      resolve: (_root, args, context, info) => {
        if (args.withCount) keepCount(context, info, 0)
        return []
      },
    }),
  }))
}

function describeRequestType(): void {
  builder.objectType('RequestType', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      description: t.exposeString('description', { nullable: true }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      show_in_portal: t.exposeBoolean('show_in_portal'),
      predefined_type: t.exposeString('predefined_type', { nullable: true }),
      form: t.expose('form', { type: 'Form', nullable: true }),
      last_request: t.field({
        type: request,
        nullable: true,
        args: { customer: t.arg.id() },
        resolve: () => null,
      }),
    }),
  })
}

function describeRequest(): void {
  request.implement({
    fields: (t) => ({
      _id: t.exposeID('_id'),
      subject: t.exposeString('subject'),
      description: t.exposeString('description', { nullable: true }),
      number: t.exposeString('number'),
      priority: t.exposeString('priority'),
      status: t.exposeString('status'),
      assigned_user: t.expose('assigned_user', { type: 'Person', nullable: true }),
      customer: t.expose('customer', { type: 'Person' }),
      created_by: t.expose('created_by', { type: 'Person', nullable: true }),
      entity: t.exposeString('entity', { nullable: true }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      comment: t.exposeString('comment', { nullable: true }),
      request_type: t.field({ type: 'RequestType', resolve: (row) => row.request_type }),
      form_data: t.expose('form_data', { type: 'JSONText', nullable: true }),
    }),
  })
}
