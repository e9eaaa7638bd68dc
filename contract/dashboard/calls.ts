import { z } from 'zod'
import { defineCall } from '../call.ts'
import { momentInput } from '../moments.ts'

const sum = z.object({ total: z.string(), count: z.int() })
const transactions = z.object({ approved: sum, pending: sum, rejected: sum })

/** What moved in one currency. Currencies are never added together. */
export const currencyFigures = z.object({ currency: z.string(), deposits: transactions, withdrawals: transactions })

/**
 * The member's figures in one round trip: how many accounts there are, and what moved on the live ones since a moment
 * (absent: ever). Play money is left out. The web sends the first moment of a day as its reader's calendar has it, so that
 * the figures are those of the list that they lead to.
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
    currencies: z.array(currencyFigures),
  }),
})
