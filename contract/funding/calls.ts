import { z } from 'zod'
import { defineCall } from '../call.ts'
import { momentInput } from '../moments.ts'
import { isDecimal } from '../money/money.ts'
import { texts } from '../texts.ts'

/** The member's transactions as CSV, newest first, with the filters of the list. */
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
    created_at_from: momentInput.optional(),
    created_at_to: momentInput.optional(),
    live_account: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional(),
    amount: z.string().max(40).refine(isDecimal, texts.amountInvalid).optional(),
  }),
  answer: z.object({ status: z.literal('ok') }),
})
