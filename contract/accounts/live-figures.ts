import { z } from 'zod'
import { defineCall } from '../call.ts'

/** What moves on a trading account, as the query endpoint names it. Money is decimal text. */
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
  /** Epoch milliseconds of the last word from the platform. */
  balance_as_of: z.number().nullable(),
  balance_is_live: z.boolean(),
})
export type LiveAccount = z.infer<typeof liveAccount>

/**
 * The figures of the member's own accounts. Whoever accepts `text/event-stream` is told of every change from then on, in
 * events named `figures`; anybody else once.
 */
export const watchFigures = defineCall({
  method: 'GET',
  path: '/members/trading/live',
  access: 'member',
  input: z.object({}),
  answer: z.object({ status: z.literal('ok'), accounts: z.array(liveAccount) }),
})

/** `accounts`: those that changed, at first all. `gone`: those that are not the member's any more, or closed. */
export const figuresEvent = z.object({ accounts: z.array(liveAccount), gone: z.array(z.uuid()) })
export type FiguresEvent = z.infer<typeof figuresEvent>

/** The last event of a stream that the server ended, named `end`: why, in a code of `error-codes.ts`. */
export const endEvent = z.object({ code: z.string() })
