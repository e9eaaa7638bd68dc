import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { pageMark } from '../list-calls.ts'
import { momentInput } from '../moments.ts'
import { searchText } from '../validators/identifier.ts'

/** What came in at the addresses of payment providers, whoever sent it, and what was made of it. */
const ok = z.object({ status: z.literal('ok') })

export const notificationKinds = ['genuine', 'unverified', 'forged', 'unknown_order', 'for_staff', 'unread'] as const

const row = z.object({
  _id: z.uuid(),
  provider: z.string(),
  app_uid: z.string(),
  received_at: z.int(),
  /** Many times the same is one. */
  times: z.int(),
  verdict: z.string(),
  outcome: z.string().nullable(),
  why: z.string().nullable(),
  word: z.string(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  /** Since when nothing of it is kept but what was made of it. */
  cleared_at: z.int().nullable(),
  order: z.object({ attempt: z.string(), deposit_id: z.uuid(), ticket: z.string() }).nullable(),
})

/** By keyset, the newest first. */
export const listNotifications = defineCall({
  method: 'GET',
  path: '/desk/api/payment-notifications',
  access: 'staff',
  right: 'money.read',
  input: z.object({
    provider: z.string().max(40).optional(),
    kind: z.enum(notificationKinds).optional(),
    /** Our number of the try to pay, or the provider's of the payment. */
    q: searchText().max(limits.searchCharsMax).optional(),
    from: momentInput.optional(),
    to: momentInput.optional(),
    before: pageMark.optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(25),
  }),
  answer: ok.extend({
    notifications: z.array(row),
    next: pageMark.nullable(),
    providers: z.array(z.object({ app_uid: z.string(), name: z.string() })),
  }),
})

/** As it came. Who looked at it stands in the audit log. */
export const readNotification = defineCall({
  method: 'GET',
  path: '/desk/api/payment-notifications/:id',
  access: 'staff',
  right: 'money.read',
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({ notification: row.extend({ method: z.string(), raw: z.string(), is_cut: z.boolean() }) }),
})

/** Has it read once more, with what is set now: what was acted on before is not acted on again. */
export const replayNotification = defineCall({
  method: 'POST',
  path: '/desk/api/payment-notifications/:id/replay',
  access: 'staff',
  right: 'money.decide',
  decides: ['payment-notification.replay'],
  input: z.object({ id: z.uuid() }),
  answer: ok,
})
