import { z } from 'zod'
import { defineCall } from '../call.ts'
import { filterFields, listCalls } from '../list-calls.ts'
import { mailsList } from './dead-letters-list.ts'
import { deadLetterStates } from './mail-states.ts'

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
  /** False where what it said is gone: a link that sets a password is not kept. */
  can_be_tried: z.boolean(),
})

export const { list: listDeadLetters, table: exportDeadLetters } = listCalls(mailsList, {
  path: '/desk/api/mails',
  right: 'members.read',
  row: deadLetter,
})

/** Sends it once more, to where its member is reached today. */
export const tryMailAgain = defineCall({
  method: 'POST',
  path: '/desk/api/mails/:id/try-again',
  access: 'staff',
  right: 'members.help',
  input: z.object({ id: z.uuid() }),
  answer: ok,
})

/**
 * All that were refused and can be tried, some hundreds a call: whoever asks again with the `until` of the first answer goes
 * on behind them. What may have arrived is not among them, since it could arrive twice: somebody decides on each of these.
 */
export const tryAllMailsAgain = defineCall({
  method: 'POST',
  path: '/desk/api/mails/try-all-again',
  access: 'staff',
  right: 'members.help',
  input: z.object({
    q: filterFields(mailsList).q,
    /** Those that were given up no later: what fails once more meanwhile is not tried a third time. */
    until: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  }),
  answer: ok.extend({ tried: z.int(), more: z.boolean(), until: z.int() }),
})

/** Seen, and left as it is: what it said is forgotten. */
export const leaveMail = defineCall({
  method: 'POST',
  path: '/desk/api/mails/:id/leave',
  access: 'staff',
  right: 'members.help',
  input: z.object({ id: z.uuid() }),
  answer: ok,
})
