/** What the desk's calls about deposits and withdrawals share, and the call that counts both. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { transactionStates } from './states.ts'

/** Facts for a money decision. The previous version omits them. */
export const riskFacts = z
  .object({
    balance: z.string().nullable(),
    /** When the platform reported the balance. */
    balance_at: z.int().nullable(),
    /** The member's earlier credited or paid out transactions, counted up to a hundred. */
    earlier: z.int(),
    /** For a withdrawal: when the beneficiary last changed, and the number of earlier payouts to it. */
    beneficiary: z.object({ since: z.int(), paid_before: z.int() }).nullable(),
  })
  .nullable()
  .default(null)

/** The previous version omits them. */
export const approvalCounts = {
  /** In the current approval round. */
  approvals: z.int().default(0),
  approvals_needed: z.int().default(1),
}

export const approvedBy = z.array(z.object({ name: z.string(), at: z.int(), is_you: z.boolean() }))

export const timelineEntry = z.object({
  at: z.int(),
  event: z.string(),
  by: z.string(),
  /** The staff user; null for any other actor. */
  staff_name: z.string().nullable(),
  note: z.string().nullable(),
})

/** Additional fields of the deposit and withdrawal queues; counts stop at `limits.countedMax`. */
export const queueNumbers = {
  /** True when `total` is a lower bound, because the search matches too much to be counted completely. */
  total_is_least: z.boolean().optional(),
  counts: z.record(z.enum(transactionStates), z.int()),
}

const waiting = z.object({ count: z.int(), stuck: z.int() }).optional()

/** The number of waiting items in each queue that the role may read, for the menu; counted up to a thousand. */
export const readWaiting = defineCall({
  method: 'GET',
  path: '/desk/api/waiting',
  access: 'staff',
  right: 'desk.use',
  input: z.object({}),
  answer: z.object({
    status: z.literal('ok'),
    deposits: waiting,
    withdrawals: waiting,
    payments: waiting,
    documents: waiting,
  }),
})
