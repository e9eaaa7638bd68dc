/** The brokerage's request types, and the board of requests. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { deskAnswered } from '../forms/desk-answers.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { detailChanges } from '../members/details.ts'
import { revision, seenOrder, seenRevision } from '../revision.ts'
import { singleLine } from '../validators/single-line.ts'
import { requestComment, requestText } from './calls.ts'
import { requestsList } from './desk-list.ts'
import { needsComment, predefinedTypes, requestPriorities, requestStates } from './states.ts'
import { requestTexts } from './texts.ts'

const ok = z.object({ status: z.literal('ok') })
const reads = { access: 'staff', right: 'members.read' } as const
const manages = { access: 'staff', right: 'forms.manage' } as const
const handles = { access: 'staff', right: 'requests.handle' } as const
const where = { id: z.uuid() }
const person = z.object({ _id: z.uuid(), name: z.string() })

const typeValues = {
  name: singleLine(limits.nameCharsMax),
  description: requestText(limits.requestTypeDescriptionCharsMax).nullable(),
  /** Links to a page of the portal; such a type has no form. */
  predefined_type: z.enum(predefinedTypes).nullable(),
  form: z.uuid().nullable(),
  show_in_portal: z.boolean(),
  is_quick_link: z.boolean(),
}
/** The member's details that approving a request changes; null for none. */
const changes = z.enum(detailChanges).nullable()
/** Pages of the previous version omit it, which leaves it unchanged. */
const typeInput = { ...typeValues, changes: changes.optional() }
export type RequestTypeValues = z.output<z.ZodObject<typeof typeInput>>

export const deskRequestType = z.object({
  _id: z.uuid(),
  ...typeValues,
  changes: changes.default(null),
  form: z.object({ _id: z.uuid(), name: z.string(), archived: z.boolean() }).nullable(),
  archived: z.boolean(),
  created_at: z.int(),
  /** The number of undecided requests of this type. */
  waiting: z.int(),
  revision,
})
export type DeskRequestType = z.output<typeof deskRequestType>
/** All types in display order, archived ones last. */
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
  input: z.object({ ...where, ...typeInput, seen: seenRevision }),
  answer: allTypes,
})

export const archiveRequestType = defineCall({
  method: 'POST',
  path: '/desk/api/request-types/:id/archive',
  ...manages,
  input: z.object({ ...where, archived: z.boolean() }),
  answer: allTypes,
})

/** Sets the display order: each type that is not archived, exactly once. */
export const orderRequestTypes = defineCall({
  method: 'POST',
  path: '/desk/api/request-types/order',
  ...manages,
  input: z.object({ types: z.array(z.uuid()).max(limits.requestTypesMax), seen: seenOrder(limits.requestTypesMax) }),
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
    /** By the filters, counted up to `limits.countedMax`. */
    counts: z.record(z.enum(requestStates), z.int()),
  },
})

/** One column of the board: undecided requests oldest first, decided ones latest decision first. */
export const listDeskRequests = calls.list

/** The filtered board as CSV: all columns by default. With a single type it has a column for each field of the form. */
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
  /** The assignee, if the request was assigned. */
  assigned: z.string().nullable(),
  comment: z.string().nullable(),
})

/** Checks only types, so that old values are shown even if a rule has become stricter. */
const shownDetails = z.object({ first_name: z.string(), last_name: z.string(), email: z.string() }).partial()

export const deskRequest = deskRequestRow.extend({
  description: z.string().nullable(),
  /** The latest comment to the member. */
  comment: z.string().nullable(),
  /** The answers; null if the type has no form. */
  answered: deskAnswered.nullable(),
  events: z.array(event),
  /** The change that an approval makes to the member, and whether the new email is already used. */
  change: z
    .object({ now: shownDetails, wanted: shownDetails, email_taken: z.boolean(), revision })
    .nullable()
    .default(null),
  /** Possible assignees. */
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

/** Reassigns a request; null means unassigned. Of two concurrent assignments, the second is refused. */
export const assignRequest = defineCall({
  method: 'POST',
  path: '/desk/api/requests/:id/assign',
  ...handles,
  input: z.object({ ...where, from: z.uuid().nullable(), to: z.uuid().nullable() }),
  answer: oneRequest,
})

/** `from` is the state that was shown: if the request has moved since, the call is refused as a conflict. */
export const moveRequest = defineCall({
  method: 'POST',
  path: '/desk/api/requests/:id/status',
  ...handles,
  input: z
    .object({
      ...where,
      ...{ from: z.enum(requestStates), to: z.enum(requestStates), comment: requestComment },
      /** Of the details that an approval changes. */
      seen: seenRevision,
    })
    .refine(({ to, comment }) => !needsComment(to) || comment !== undefined, {
      error: requestTexts.commentMissing,
      path: ['comment'],
    }),
  answer: oneRequest,
})

/** A comment to the member without a state change. */
export const commentOnRequest = defineCall({
  method: 'POST',
  path: '/desk/api/requests/:id/comment',
  ...handles,
  input: z.object({ ...where, comment: requestText(limits.requestCommentCharsMax, requestTexts.commentMissing) }),
  answer: oneRequest,
})
