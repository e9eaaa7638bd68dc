import { z } from 'zod'
import { defineCall } from '../call.ts'
import { orderStates } from './orders.ts'
import { paymentTexts } from './texts.ts'

/** The coins that a provider currently accepts; a deposit through it names one of these codes. */
export const readDepositCoins = defineCall({
  method: 'GET',
  path: '/members/deposits/coins',
  access: 'member',
  input: z.object({ payment_method: z.string().min(1, paymentTexts.providerUnknown).max(60) }),
  answer: z.object({
    status: z.literal('ok'),
    coins: z.array(
      z.object({ code: z.string(), name: z.string(), network: z.string().nullable(), image_url: z.string() }),
    ),
  }),
})

/** A provider's payment methods in one currency: the member chooses one of several, a single one is preselected. */
export const readDepositWays = defineCall({
  method: 'GET',
  path: '/members/deposits/ways',
  access: 'member',
  input: z.object({
    payment_method: z.string().min(1, paymentTexts.providerUnknown).max(60),
    currency: z.string().min(1).max(10),
  }),
  answer: z.object({
    status: z.literal('ok'),
    ways: z.array(z.object({ code: z.string(), name: z.string() })),
    /** Text about the deposit limit before identity verification; absent without a limit. */
    before_identity: z.string().optional(),
  }),
})

/** A redirect, a form that the browser posts with its fields in this order, or a coin payment with its pending deposit. */
export const paymentPage = z.object({
  redirectURL: z.string().optional(),
  form_data: z
    .object({
      action: z.string(),
      fields: z.array(z.object({ name: z.string(), value: z.string() })),
      /** Shown in a frame of `/rpnpay-payment`. */
      is_framed: z.literal(true).optional(),
    })
    .optional(),
  /** The data is the same JSON text as in the list of pending deposits. */
  pending_deposit: z.object({ _id: z.uuid(), data: z.string() }).optional(),
})

/**
 * The payment page that the provider gave for the order of an own deposit, to continue an interrupted payment; no second order is
 * made. Only `open` has one. `expired`: its time is over. `unanswered`: the provider has not given a page. `unpayable`: the account
 * was closed since. `settled`: the payment arrived, is on its way, or was ended.
 */
export const readOpenPayment = defineCall({
  method: 'GET',
  path: '/members/deposits/payment',
  access: 'member',
  input: z.object({ _id: z.uuid() }),
  answer: paymentPage.extend({
    status: z.literal('ok'),
    state: z.enum(['open', 'expired', 'unanswered', 'unpayable', 'settled']),
    order: z.uuid(),
    /** Until when the page accepts the payment, in epoch milliseconds. */
    expires_at: z.number(),
  }),
})

/**
 * Final if status, order_status and payment_status are all present. Until then `state` says what is happening, so that the portal
 * does not show "declined" while money may be on its way.
 */
export const depositStatus = defineCall({
  method: 'POST',
  path: '/customers/trading-accounts/deposit-status',
  access: 'member',
  input: z.object({ order: z.uuid() }),
  answer: z.object({
    status: z.literal('ok'),
    state: z.enum(orderStates),
    order_status: z.enum(['paid', 'declined']).optional(),
    payment_status: z.enum(['approved', 'declined', 'cancelled']).optional(),
    payment_error: z.string().optional(),
    amount: z.string(),
    charge: z.string(),
    currency: z.string(),
    provider: z.string(),
    ticket: z.string(),
    account: z.string(),
    /** The provider reports a pending payment: it may take days, and the member must not pay again. */
    is_pending: z.literal(true).optional(),
    /** Until when the page accepts the payment, in epoch milliseconds. */
    expires_at: z.number(),
  }),
})
