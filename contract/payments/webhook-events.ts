/** Requests received at the webhook addresses of payment providers, from any sender, with their outcome. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { listCalls } from '../list-calls.ts'
import { momentInput } from '../moments.ts'
import { webhookEventsList } from './desk-list.ts'

const ok = z.object({ status: z.literal('ok') })

const row = z.object({
  _id: z.uuid(),
  provider: z.string(),
  app_uid: z.string(),
  received_at: z.int(),
  /** Identical requests are counted in one row. */
  times: z.int(),
  verdict: z.string(),
  outcome: z.string().nullable(),
  why: z.string().nullable(),
  word: z.string(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  /** When the content was deleted; only the outcome remains. */
  cleared_at: z.int().nullable(),
  order: z.object({ attempt: z.string(), deposit_id: z.uuid(), ticket: z.string() }).nullable(),
  payout: z.object({ attempt: z.string(), withdrawal_id: z.uuid(), ticket: z.string() }).nullable().default(null), // The previous version omits it.
})

export const webhookEventCalls = listCalls(webhookEventsList, {
  path: '/desk/api/payment-notifications',
  right: 'money.read',
  row,
  extra: { providers: z.array(z.object({ app_uid: z.string(), name: z.string() })) },
  fixed: { from: momentInput.optional(), to: momentInput.optional() },
})

/** The raw request. The audit log records who read it. */
export const readWebhookEvent = defineCall({
  method: 'GET',
  path: '/desk/api/payment-notifications/:id',
  access: 'staff',
  right: 'money.read',
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({ notification: row.extend({ method: z.string(), raw: z.string(), is_cut: z.boolean() }) }),
})

/** Processes the event again with the current settings; actions that were already taken are not repeated. */
export const replayWebhookEvent = defineCall({
  method: 'POST',
  path: '/desk/api/payment-notifications/:id/replay',
  access: 'staff',
  right: 'money.decide',
  decides: ['payment-notification.replay'],
  input: z.object({ id: z.uuid() }),
  answer: ok,
})
