import { z } from 'zod'
import { defineCall } from '../call.ts'
import { filterFields, listCalls } from '../list-calls.ts'
import { mailsList } from './desk-list.ts'
import { deadLetterStates } from './states.ts'

const ok = z.object({ status: z.literal('ok') })

export const deadLetter = z.object({
  _id: z.uuid(),
  recipient: z.string(),
  subject: z.string(),
  state: z.enum(deadLetterStates),
  /** Codes of the mail server, or `interrupted`. */
  problem: z.string().nullable(),
  tries: z.int(),
  created_at: z.int(),
  settled_at: z.int(),
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }).nullable(),
  /** False if the content is gone, as for a password link, which is not stored. */
  can_be_tried: z.boolean(),
})

export const deadLetterCalls = listCalls(mailsList, {
  path: '/desk/api/mails',
  right: 'members.read',
  row: deadLetter,
})

/** Resends the mail to the member's current address. */
export const tryMailAgain = defineCall({
  method: 'POST',
  path: '/desk/api/mails/:id/try-again',
  access: 'staff',
  right: 'members.help',
  input: z.object({ id: z.uuid() }),
  answer: ok,
})

/**
 * Retries all refused mails that can be resent, a batch per call: the client repeats the call with the `until` of the first answer.
 * Mails that may have arrived are excluded, since a resend could deliver them twice: staff decide on each of them.
 */
export const tryAllMailsAgain = defineCall({
  method: 'POST',
  path: '/desk/api/mails/try-all-again',
  access: 'staff',
  right: 'members.help',
  input: z.object({
    q: filterFields(mailsList).q,
    /** Only mails that failed before this moment, so that a repeated failure is not retried again. */
    until: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  }),
  answer: ok.extend({ tried: z.int(), more: z.boolean(), until: z.int() }),
})

/** Dismisses the mail and deletes its content. */
export const leaveMail = defineCall({
  method: 'POST',
  path: '/desk/api/mails/:id/leave',
  access: 'staff',
  right: 'members.help',
  input: z.object({ id: z.uuid() }),
  answer: ok,
})
