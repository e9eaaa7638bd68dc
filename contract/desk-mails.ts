import { z } from 'zod'
import { defineCall } from './call.ts'
import { pageMark } from './desk-members.ts'
import { limits } from './limits.ts'
import { undeliveredStates } from './mail-states.ts'
import { searchText } from './validators/identifier.ts'

const ok = z.object({ status: z.literal('ok') })

const filters = {
  /** In the address or the subject. */
  q: searchText().max(100).optional(),
  state: z.enum(undeliveredStates).optional(),
}

export const undeliveredMail = z.object({
  _id: z.uuid(),
  recipient: z.string(),
  subject: z.string(),
  state: z.enum(undeliveredStates),
  /** Codes of the mail server, or `interrupted`. */
  problem: z.string().nullable(),
  tries: z.int(),
  created_at: z.int(),
  settled_at: z.int(),
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }).nullable(),
  /** False where what it said is gone: a link that sets a password is not kept. */
  can_be_tried: z.boolean(),
})

/** Mails that did not get through and that nobody has seen to, the latest first. */
export const listUndelivered = defineCall({
  method: 'GET',
  path: '/desk/api/mails',
  access: 'staff',
  right: 'members.read',
  input: z.object({
    ...filters,
    after: pageMark.optional(),
    before: pageMark.optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(25),
  }),
  answer: ok.extend({
    mails: z.array(undeliveredMail),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    /** Counted no further than `limits.countedMax`. */
    total: z.int(),
  }),
})

/** A table for a spreadsheet, written out while it is read. */
export const exportUndelivered = defineCall({
  method: 'GET',
  path: '/desk/api/mails/table',
  access: 'staff',
  right: 'members.read',
  input: z.object(filters),
  answer: ok,
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
    q: filters.q,
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
