import { z } from 'zod'
import { defineCall } from './call.ts'
import { isDecimal } from './money.ts'
import { texts } from './texts.ts'

const millis = z.coerce.number().int().min(0).max(253_370_764_800_000)

/** The member's transactions as a table for spreadsheets, newest first, narrowed as the list is. */
export const exportTransactions = defineCall({
  method: 'GET',
  path: '/members/transactions/table',
  access: 'member',
  input: z.object({
    ticket: z.string().max(100).optional(),
    account_number: z.string().max(100).optional(),
    type: z.string().max(100).optional(),
    status: z.string().max(100).optional(),
    destination: z.string().max(120).optional(),
    created_at_from: millis.optional(),
    created_at_to: millis.optional(),
    live_account: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional(),
    amount: z.string().max(40).refine(isDecimal, texts.amountInvalid).optional(),
  }),
  answer: z.object({ status: z.literal('ok') }),
})
