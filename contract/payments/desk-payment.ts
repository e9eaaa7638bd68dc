import { z } from 'zod'
import { transactionStates } from '../funding/states.ts'
import { orderStates } from './orders.ts'

/** The order of a deposit through a provider, and the provider's webhooks. */
export const deskPayment = z.object({
  provider: z.string(),
  state: z.enum(orderStates),
  /** The reason for manual review. */
  why: z.string().nullable(),
  charge: z.string(),
  fee: z.string(),
  attempt: z.string(),
  reference: z.string().nullable(),
  expires_at: z.int(),
  /** Since when the provider reports it as pending; null otherwise. */
  pending_since: z.int().nullable().default(null), // The previous version omits it.
  /** Amounts credited by decisions about this payment, newest first. The previous version omits them. */
  credited: z
    .array(
      z.object({
        _id: z.uuid(),
        ticket: z.string(),
        amount: z.string(),
        currency: z.string(),
        state: z.enum(transactionStates),
      }),
    )
    .default([]),
  notifications: z.array(
    z.object({
      _id: z.uuid(),
      at: z.int(),
      times: z.int(),
      outcome: z.string(),
      why: z.string().nullable(),
      word: z.string(),
      amount: z.string().nullable(),
      currency: z.string().nullable(),
      raw: z.string(),
      /** When the content was deleted; only the outcome remains. */
      cleared_at: z.int().nullable(),
    }),
  ),
})
export type DeskPayment = z.output<typeof deskPayment>
