import { z } from 'zod'
import { defineCall } from '../call.ts'
import { scanState } from '../files/calls.ts'
import { heldFile } from '../files/held-file.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { revision, seenRevision } from '../revision.ts'
import { texts } from '../texts.ts'
import { ticketMessage, ticketText } from './calls.ts'
import { ticketsList } from './desk-list.ts'
import { ticketPriorities, ticketStates, ticketTypes } from './states.ts'

const ok = z.object({ status: z.literal('ok') })
/**
 * What the page showed, so that nothing that happened meanwhile is decided unseen: the state, and the position of the
 * last message; the previous version omits both.
 */
const seen = { seen_state: z.enum(ticketStates).optional(), seen_messages: z.int().min(0).optional() }
const person = z.object({ _id: z.uuid(), name: z.string() })
const where = { id: z.uuid() }

export const deskTicketRow = z.object({
  _id: z.uuid(),
  ticket: z.string(),
  subject: z.string(),
  type: z.enum(ticketTypes),
  priority: z.enum(ticketPriorities),
  state: z.enum(ticketStates),
  state_since: z.int(),
  created_at: z.int(),
  taken_by: person.nullable(),
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }),
  /** The member has written since the caller last read the ticket; always false for a role that does not answer. */
  is_unread: z.boolean(),
  /** The last message is the member's and needs an answer. */
  waits: z.boolean(),
  first_answered_at: z.int().nullable(),
})

export const deskTicketCalls = listCalls(ticketsList, {
  path: '/desk/api/tickets',
  right: 'members.read',
  row: deskTicketRow,
  extra: {
    /** Totals regardless of the filters. */
    counts: z.object({
      open: z.int(),
      taken: z.int(),
      resolved: z.int(),
      closed: z.int(),
      /** Unassigned, or with the last message from the member. */
      waiting: z.int(),
    }),
  },
})

const attachment = z.object({
  _id: z.uuid(),
  name: z.string(),
  extension: z.string(),
  is_image: z.boolean(),
  size_bytes: z.int(),
  url: z.string(),
  scan: scanState,
  ...heldFile,
})

const said = z.object({
  _id: z.uuid(),
  /** `merged` is the first message of a ticket that was merged into this one; a note is visible to staff only. */
  kind: z.enum(['message', 'note', 'merged']),
  content: z.string().nullable(),
  attachment: attachment.nullable(),
  /** Null: the member. */
  by: person.nullable(),
  at: z.int(),
})

const about = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('account'),
    _id: z.uuid(),
    platform_login: z.string(),
    platform_type: z.string(),
    balance: z.string().nullable(),
    currency: z.string(),
  }),
  z.object({
    kind: z.literal('transaction'),
    _id: z.uuid(),
    ticket: z.string(),
    type: z.string(),
    amount: z.string(),
    currency: z.string(),
    platform_login: z.string(),
  }),
  z.object({ kind: z.literal('download'), _id: z.uuid(), platform: z.string(), system: z.string(), name: z.string() }),
])

export const deskTicket = deskTicketRow.extend({
  description: z.string(),
  resolved_at: z.int().nullable(),
  /** The number of messages, without those of merged tickets. The previous version omits it. */
  messages: z.int().optional(),
  merged_into: z.object({ _id: z.uuid(), ticket: z.string() }).nullable(),
  about: about.nullable(),
  conversation: z.array(said),
  /** Facts about the member, so that staff need not open the member's page. */
  context: z.object({
    email: z.string(),
    picture: z.string().nullable(),
    status: z.string(),
    documents_status: z.string(),
    since: z.int(),
    live_accounts: z.int(),
    demo_accounts: z.int(),
    transactions: z.array(
      z.object({
        _id: z.uuid(),
        ticket: z.string(),
        type: z.string(),
        state: z.string(),
        amount: z.string(),
        currency: z.string(),
      }),
    ),
    tickets: z.array(z.object({ _id: z.uuid(), ticket: z.string(), subject: z.string(), state: z.enum(ticketStates) })),
  }),
  /** Possible assignees. */
  colleagues: z.array(person),
})
export type DeskTicket = z.output<typeof deskTicket>

const oneTicket = ok.extend({ ticket: deskTicket })

export const readDeskTicket = defineCall({
  method: 'GET',
  path: '/desk/api/tickets/:id',
  access: 'staff',
  right: 'members.read',
  input: z.object(where),
  answer: oneTicket,
})

/** Marks everything up to now as read by the caller. */
export const markTicketRead = defineCall({
  method: 'POST',
  path: '/desk/api/tickets/:id/read',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object(where),
  answer: ok,
})

/** Reassigns a ticket; null means unassigned. Of two concurrent assignments, the second is refused. */
export const assignTicket = defineCall({
  method: 'POST',
  path: '/desk/api/tickets/:id/assign',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object({ ...where, from: z.uuid().nullable(), to: z.uuid().nullable() }),
  answer: oneTicket,
})

export const replyToTicket = defineCall({
  method: 'POST',
  path: '/desk/api/tickets/:id/reply',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object({ ...where, content: ticketMessage, resolves: z.boolean().default(false), ...seen }),
  answer: oneTicket,
})

/** Multipart: one part named `file`, which is added to the conversation for the member. */
export const attachToTicket = defineCall({
  method: 'POST',
  path: '/desk/api/tickets/:id/attach',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object(where),
  answer: oneTicket,
})

export const noteOnTicket = defineCall({
  method: 'POST',
  path: '/desk/api/tickets/:id/note',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object({ ...where, content: ticketMessage }),
  answer: oneTicket,
})

export const changeDeskTicket = defineCall({
  method: 'POST',
  path: '/desk/api/tickets/:id/change',
  access: 'staff',
  right: 'tickets.answer',
  input: z
    .object({
      ...where,
      status: z.enum(['open', 'resolved']).optional(),
      priority: z.enum(ticketPriorities).optional(),
      ...seen,
    })
    .refine(({ status, priority }) => status !== undefined || priority !== undefined, {
      error: texts.fieldsMissing,
      path: ['status'],
    }),
  answer: oneTicket,
})

/** Continues the conversation in another ticket of the same member. */
export const mergeTicket = defineCall({
  method: 'POST',
  path: '/desk/api/tickets/:id/merge',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object({ ...where, into: z.uuid() }),
  answer: oneTicket,
})

const spans = ['7', '30', '90'] as const

/** Times to the first answer and to the resolution of recent tickets, in seconds. */
export const readTicketMetrics = defineCall({
  method: 'GET',
  path: '/desk/api/ticket-figures',
  access: 'staff',
  right: 'members.read',
  input: z.object({ days: z.enum(spans).default('30') }),
  answer: ok.extend({
    figures: z.object({
      created: z.int(),
      answered: z.int(),
      resolved: z.int(),
      /** Unanswered tickets of any age, and the creation of the oldest. */
      unanswered: z.int(),
      oldest_unanswered_at: z.int().nullable(),
      first_answer_median: z.int().nullable(),
      /** The 90th percentile. */
      first_answer_p90: z.int().nullable(),
      resolution_median: z.int().nullable(),
      by_colleague: z.array(z.object({ _id: z.uuid(), name: z.string(), messages: z.int(), tickets: z.int() })),
    }),
  }),
})

const canned = z.object({ _id: z.uuid(), name: z.string(), content: z.string(), revision })
export type CannedReply = z.output<typeof canned>
const allCanned = ok.extend({ replies: z.array(canned) })
const cannedValues = {
  name: ticketText(limits.cannedReplyNameCharsMax, texts.nameMissing).refine(
    (text) => !/\p{Cc}/u.test(text),
    texts.textUnreadable,
  ),
  content: ticketMessage,
}

export const listCannedReplies = defineCall({
  method: 'GET',
  path: '/desk/api/canned-replies',
  access: 'staff',
  right: 'members.read',
  input: z.object({}),
  answer: allCanned,
})

export const addCannedReply = defineCall({
  method: 'POST',
  path: '/desk/api/canned-replies/add',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object(cannedValues),
  answer: allCanned,
})

export const changeCannedReply = defineCall({
  method: 'POST',
  path: '/desk/api/canned-replies/:id/change',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object({ ...where, ...cannedValues, seen: seenRevision }),
  answer: allCanned,
})

export const archiveCannedReply = defineCall({
  method: 'POST',
  path: '/desk/api/canned-replies/:id/archive',
  access: 'staff',
  right: 'tickets.answer',
  input: z.object(where),
  answer: allCanned,
})
