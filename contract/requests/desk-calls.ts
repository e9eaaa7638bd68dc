import { z } from 'zod'
import { defineCall } from '../call.ts'
import { answered } from '../forms/calls.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { detailChanges } from '../members/details.ts'
import { plainLine } from '../staff/lists.ts'
import { requestComment, requestText } from './calls.ts'
import { requestsList } from './desk-list.ts'
import { needsComment, predefinedTypes, requestPriorities, requestStates } from './states.ts'
import { requestTexts } from './texts.ts'

/** Request types as the brokerage offers them, and the board of what was asked. */
const ok = z.object({ status: z.literal('ok') })
const reads = { access: 'staff', right: 'members.read' } as const
const manages = { access: 'staff', right: 'forms.manage' } as const
const handles = { access: 'staff', right: 'requests.handle' } as const
const where = { id: z.uuid() }
const person = z.object({ _id: z.uuid(), name: z.string() })

const typeValues = {
  name: plainLine(limits.nameCharsMax),
  description: requestText(limits.requestTypeDescriptionCharsMax).nullable(),
  /** Leads to a page of the portal; such a type has no form. */
  predefined_type: z.enum(predefinedTypes).nullable(),
  form: z.uuid().nullable(),
  show_in_portal: z.boolean(),
  is_quick_link: z.boolean(),
}
/** What approving a request of the type changes of the member; null: nothing. */
const changes = z.enum(detailChanges).nullable()
/** Pages of the version before do not send it, and change nothing of it. */
const typeInput = { ...typeValues, changes: changes.optional() }
export type RequestTypeValues = z.output<z.ZodObject<typeof typeInput>>

export const deskRequestType = z.object({
  _id: z.uuid(),
  ...typeValues,
  changes: changes.default(null),
  form: z.object({ _id: z.uuid(), name: z.string(), archived: z.boolean() }).nullable(),
  archived: z.boolean(),
  created_at: z.int(),
  /** Requests of it that wait for somebody. */
  waiting: z.int(),
})
export type DeskRequestType = z.output<typeof deskRequestType>
/** All of them in their order, those that are put away at the end. */
const allTypes = ok.extend({ types: z.array(deskRequestType) })

export const listRequestTypes = defineCall({
  method: 'GET',
  path: '/desk/api/request-types',
  ...reads,
  input: z.object({}),
  answer: allTypes,
})

export const addRequestType = defineCall({
  method: 'POST',
  path: '/desk/api/request-types/add',
  ...manages,
  input: z.object(typeInput),
  answer: allTypes,
})

export const changeRequestType = defineCall({
  method: 'POST',
  path: '/desk/api/request-types/:id/change',
  ...manages,
  input: z.object({ ...where, ...typeInput }),
  answer: allTypes,
})

export const archiveRequestType = defineCall({
  method: 'POST',
  path: '/desk/api/request-types/:id/archive',
  ...manages,
  input: z.object({ ...where, archived: z.boolean() }),
  answer: allTypes,
})

/** The order in which members see them: each that is not put away, once. */
export const orderRequestTypes = defineCall({
  method: 'POST',
  path: '/desk/api/request-types/order',
  ...manages,
  input: z.object({ types: z.array(z.uuid()).max(limits.requestTypesMax) }),
  answer: allTypes,
})

export const deskRequestRow = z.object({
  _id: z.uuid(),
  number: z.string(),
  subject: z.string(),
  type: person,
  status: z.enum(requestStates),
  status_since: z.int(),
  priority: z.enum(requestPriorities),
  created_at: z.int(),
  assigned: person.nullable(),
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }),
})
export type DeskRequestRow = z.output<typeof deskRequestRow>

const calls = listCalls(requestsList, {
  path: '/desk/api/requests',
  right: 'members.read',
  row: deskRequestRow,
  extra: {
    /** By the filters, counted no further than `limits.countedMax`. */
    counts: z.record(z.enum(requestStates), z.int()),
  },
})

/** One column of the board: what waits longest first while it waits, what was decided last first. */
export const listDeskRequests = calls.list

/** The board by its filters as a table for spreadsheets, whole unless told which column. Of one type, with a column for each field of its form. */
export const exportDeskRequests = {
  ...calls.table,
  input: calls.table.input.extend({ status: z.enum([...requestStates, 'all']).default('all') }),
}

const event = z.object({
  _id: z.uuid(),
  at: z.int(),
  kind: z.enum(['sent', 'assigned', 'moved', 'commented']),
  /** Null: the member. */
  by: person.nullable(),
  from: z.enum(requestStates).nullable(),
  to: z.enum(requestStates).nullable(),
  /** To whom it was given, where it was given to somebody. */
  assigned: z.string().nullable(),
  comment: z.string().nullable(),
})

/** Shapes alone: what was once valid is shown though a rule became stricter. */
const shownDetails = z.object({ first_name: z.string(), last_name: z.string(), email: z.string() }).partial()

export const deskRequest = deskRequestRow.extend({
  description: z.string().nullable(),
  /** The last word to the member. */
  comment: z.string().nullable(),
  /** What was filled in; null where the type asks for nothing. */
  answered: answered.nullable(),
  events: z.array(event),
  /** What approving it changes of the member, and whether the new email is another member's. */
  change: z.object({ now: shownDetails, wanted: shownDetails, email_taken: z.boolean() }).nullable().default(null),
  /** To whom it can be given. */
  colleagues: z.array(person),
})
export type DeskRequest = z.output<typeof deskRequest>
const oneRequest = ok.extend({ request: deskRequest })

export const readDeskRequest = defineCall({
  method: 'GET',
  path: '/desk/api/requests/:id',
  ...reads,
  input: z.object(where),
  answer: oneRequest,
})

/** Gives it from one to another; nobody at either end is null. Of two who take the same one, the second is told. */
export const assignRequest = defineCall({
  method: 'POST',
  path: '/desk/api/requests/:id/assign',
  ...handles,
  input: z.object({ ...where, from: z.uuid().nullable(), to: z.uuid().nullable() }),
  answer: oneRequest,
})

/** `from` is what was on the screen: a request that somebody else has moved meanwhile is refused as a conflict. */
export const moveRequest = defineCall({
  method: 'POST',
  path: '/desk/api/requests/:id/status',
  ...handles,
  input: z
    .object({ ...where, from: z.enum(requestStates), to: z.enum(requestStates), comment: requestComment })
    .refine(({ to, comment }) => !needsComment(to) || comment !== undefined, {
      error: requestTexts.commentMissing,
      path: ['comment'],
    }),
  answer: oneRequest,
})

/** A word to the member while their request goes on. */
export const commentOnRequest = defineCall({
  method: 'POST',
  path: '/desk/api/requests/:id/comment',
  ...handles,
  input: z.object({ ...where, comment: requestText(limits.requestCommentCharsMax, requestTexts.commentMissing) }),
  answer: oneRequest,
})
