import { z } from 'zod'
import { defineCall } from '../call.ts'
import { momentInput } from '../moments.ts'

const sum = z.object({ total: z.string(), count: z.int() })
const transactions = z.object({ approved: sum, pending: sum, rejected: sum })

/** Transactions in one currency. Currencies are never added together. */
export const currencyTotals = z.object({ currency: z.string(), deposits: transactions, withdrawals: transactions })

/**
 * The member's dashboard in one round trip: the number of accounts, and the transactions of live accounts since a
 * moment (absent: ever). The web sends the start of a day in the reader's calendar, so that the totals match the list
 * they link to.
 */
export const readDashboard = defineCall({
  method: 'GET',
  path: '/members/dashboard',
  access: 'member',
  input: z.object({
    from: momentInput.optional(),
  }),
  answer: z.object({
    status: z.literal('ok'),
    live_accounts: z.int(),
    demo_accounts: z.int(),
    bank_accounts: z.int(),
    currencies: z.array(currencyTotals),
  }),
})
