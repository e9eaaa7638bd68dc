import { limits } from '@atrium/contract/limits.ts'
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import { formLoader } from '../forms/graph.ts'
import { readSubmittedAnswers } from '../forms/submitted-answers.ts'
import { readPage } from '../foundation/database/paging.ts'
import { assertState } from '../foundation/errors.ts'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { type CountedPageArgs, pageArgs, readCounted } from '../graphql/paging.ts'
import { customer } from '../members/graph.ts'
import {
  countRequests,
  filterOf,
  listLastRequests,
  listRequests,
  listRequestTypes,
  type RequestArgs,
  type RequestShape,
  type RequestTypeShape,
  readRequestType,
  readRequestTypes,
} from './queries.ts'

const request = builder.objectRef<RequestShape>('Request')

/** All types that are not archived, loaded once for each document. */
function shownTypes({ read, member }: GraphContext): Promise<RequestTypeShape[]> {
  return read((tx) => listRequestTypes(tx, member))
}

/** The types on the member's profile, each with its last request. */
async function quickLinksOf(context: GraphContext): Promise<RequestTypeShape[]> {
  return (await context.own(shownTypes)).filter(({ is_quick_link, show_in_portal }) => is_quick_link && show_in_portal)
}

const lastRequestLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, RequestShape | null>(async (ids) => {
    const rows = await read((tx) => listLastRequests(tx, member, ids))
    const byType = new Map(rows.map((row) => [row.request_type_id, row]))
    return ids.map((id) => byType.get(id) ?? null)
  })

const typeLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, RequestTypeShape | null>(async (ids) => {
    const rows = await read((tx) => readRequestTypes(tx, member, ids))
    const byId = new Map(rows.map((row) => [row.request_type_id, row]))
    return ids.map((id) => byId.get(id) ?? null)
  })

async function typeOf(context: GraphContext, id: string): Promise<RequestTypeShape | null> {
  if (!z.uuid().safeParse(id).success) return null
  return (await context.read((tx) => readRequestType(tx, context.member, id.toLowerCase()))) ?? null
}

/** The answers of a page of requests, as JSON. */
const answersLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, string | null>(async (ids) => {
    const rows = await read((tx) => readSubmittedAnswers(tx, member, { memberId: member.memberId, requestIds: ids }))
    const byRequest = new Map(
      rows.map(({ answers_id: _id, request_id, ...shown }) => [request_id, JSON.stringify(shown)]),
    )
    return ids.map((id) => byRequest.get(id) ?? null)
  })

type ListArgs = RequestArgs & CountedPageArgs

async function requestsOf(args: ListArgs, context: GraphContext, info: GraphQLResolveInfo): Promise<RequestShape[]> {
  const { member } = context
  const filter = filterOf(args, member.memberId)
  const page = readPage(args, limits.requestsPageSize)
  return readCounted(context, info, args.withCount, {
    rows: async (tx) => (filter && page ? listRequests(tx, member, filter, page) : []),
    count: async (tx) => (filter ? countRequests(tx, member, filter) : 0),
  })
}

export function describeRequests(): void {
  describeRequestType()
  describeRequest()
  builder.objectField(customer, 'requests_types_for_quick_links', (t) =>
    t.field({
      scopes: ['requests'],
      reads: 1,
      type: ['RequestType'],
      resolve: (_row, _args, context) => quickLinksOf(context),
    }),
  )
  builder.queryFields((t) => ({
    requests_types: t.field({
      scopes: ['requests'],
      reads: 1,
      type: ['RequestType'],
      args: { show_in_portal: t.arg.boolean() },
      resolve: async (_root, args, context) => {
        const types = await context.own(shownTypes)
        return types.filter(({ show_in_portal }) => show_in_portal && args.show_in_portal !== false)
      },
    }),
    request_type: t.field({
      scopes: ['requests'],
      reads: 1,
      type: 'RequestType',
      nullable: true,
      args: { _id: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => typeOf(context, args._id),
    }),
    requests: t.field({
      scopes: ['requests'],
      reads: 1,
      type: [request],
      args: {
        _id: t.arg.id(),
        customer: t.arg.id(),
        scope: t.arg.string(),
        q: t.arg.string(),
        status: t.arg.string(),
        created_at: t.arg({ type: 'Millis' }),
        created_at_to: t.arg({ type: 'Millis' }),
        ...pageArgs,
      },
      resolve: (_root, args, context, info) => requestsOf(args, context, info),
    }),
  }))
}

function describeRequestType(): void {
  builder.objectType('RequestType', {
    fields: (t) => ({
      _id: t.exposeID('request_type_id'),
      name: t.exposeString('name'),
      description: t.exposeString('description', { nullable: true }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      show_in_portal: t.exposeBoolean('show_in_portal'),
      predefined_type: t.exposeString('predefined_type', { nullable: true }),
      form: t.field({
        unguarded: 'a type is read with its form, in the same scope',
        reads: 1,
        type: 'Form',
        nullable: true,
        resolve: ({ form_id }, _args, context) => (form_id ? context.own(formLoader).load(form_id) : null),
      }),
      last_request: t.field({
        unguarded: 'a type shows the state of its last request, in the same scope',
        reads: 1,
        type: request,
        nullable: true,
        args: { customer: t.arg.id() },
        resolve: (row, args, context) => {
          if (args.customer != null && args.customer.toLowerCase() !== context.member.memberId) return null
          // Primes the loader, so that the type of that request costs no statement.
          context.own(typeLoader).prime(row.request_type_id, row)
          return context.own(lastRequestLoader).load(row.request_type_id)
        },
      }),
    }),
  })
}

function describeRequest(): void {
  request.implement({
    fields: (t) => ({
      _id: t.exposeID('request_id'),
      subject: t.exposeString('subject'),
      description: t.exposeString('description', { nullable: true }),
      number: t.exposeString('number'),
      priority: t.exposeString('priority'),
      status: t.exposeString('status'),
      assigned_user: t.field({
        type: 'Person',
        nullable: true,
        resolve: ({ assigned_staff_id: _id, assigned_staff_name: name }) => (_id && name ? { _id, name } : null),
      }),
      customer: t.field({ type: 'Person', resolve: personOf }),
      created_by: t.field({ type: 'Person', nullable: true, resolve: personOf }),
      entity: t.exposeString('entity', { nullable: true }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      /** When it reached its current status. */
      status_since: t.expose('status_since', { type: 'Millis' }),
      comment: t.exposeString('comment', { nullable: true }),
      request_type: t.field({
        unguarded: 'a request names its own type',
        reads: 1,
        type: 'RequestType',
        resolve: async (row, _args, context) => {
          const type = await context.own(typeLoader).load(row.request_type_id)
          assertState(type, 'a request without its type')
          return type
        },
      }),
      form_data: t.field({
        reads: 4,
        type: 'JSONText',
        nullable: true,
        resolve: ({ request_id, form_id }, _args, context) =>
          form_id ? context.own(answersLoader).load(request_id) : null,
      }),
    }),
  })
}

const personOf = ({ member_id, member_name }: RequestShape) => ({ _id: member_id, name: member_name })
