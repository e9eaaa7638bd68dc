import { z } from 'zod'
import { defineCall } from '../call.ts'

/** The changing fields of a trading account, named as in GraphQL. Money is decimal text. */
export const liveAccount = z.object({
  _id: z.uuid(),
  balance: z.string().nullable(),
  equity: z.string().nullable(),
  credit: z.string().nullable(),
  floating_pnl: z.string().nullable(),
  margin: z.string().nullable(),
  margin_free: z.string().nullable(),
  /** In percent. */
  margin_level: z.string().nullable(),
  leverage: z.int(),
  /** Epoch milliseconds of the last answer of the platform. */
  balance_as_of: z.number().nullable(),
  balance_is_live: z.boolean(),
})
export type LiveAccount = z.infer<typeof liveAccount>

/**
 * The metrics of the member's own accounts. A client that accepts `text/event-stream` receives every change in events
 * named `figures`; any other client receives one answer.
 */
export const watchAccountMetrics = defineCall({
  method: 'GET',
  path: '/members/trading/live',
  access: 'member',
  input: z.object({}),
  answer: z.object({ status: z.literal('ok'), accounts: z.array(liveAccount) }),
})

/** `accounts`: the changed accounts, initially all. `gone`: accounts that are closed or no longer the member's. */
export const accountMetricsEvent = z.object({ accounts: z.array(liveAccount), gone: z.array(z.uuid()) })
export type AccountMetricsEvent = z.infer<typeof accountMetricsEvent>

/** The last event (`end`) of a stream that the server closes, with a code of `error-codes.ts`. */
export const endEvent = z.object({ code: z.string() })
