import { z } from 'zod'
import { defineCall } from '../call.ts'
import { transactionStates } from '../funding/states.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { decisionKey } from '../money/decision-key.ts'
import { deskTexts } from '../staff/texts.ts'
import { exceptionsList } from './desk-list.ts'
import { orderStates } from './orders.ts'

/** Payment exceptions for a decision by staff: the order and the actual payment. */
export const exceptionTexts = {
  decided: 'This payment has already been decided.',
  creditedBefore: 'This payment has been credited before.',
  notCreditable: 'This cannot be credited, because the payment was returned.',
  paidUnfit: 'The paid amount cannot be credited: the currency differs, or nothing is left after the fee.',
  returnUnfit:
    'This cannot be credited: the report does not prove an amount in the currency of the payout, or all of it is settled.',
  reasonMissing: 'Please give a reason. It is stored with the decision.',
  referenceMissing: 'Enter the reference of the payment.',
  twoPeople: 'This amount needs two approvals. Decide it under Payments.',
  paidAtProvider:
    'The provider has received the money for this deposit. Approve it again, or record the refund under Payments.',
  proposedMeanwhile: 'A decision has been proposed since you opened this. Check it, then decide again.',
  refundOrApprove: 'Record the refund here, or approve the deposit again under Deposits.',
  approvedAgain: 'This deposit is no longer pending. Close the exception with a reason.',
  accountClosed:
    'This account is archived or deleted, or the platform gave its number to somebody else, so nothing can be credited to it. Record the refund under Payments.',
  accountInDemoGroup:
    'The platform moved this live account to a group that is offered for demo accounts. Check the account on the platform before you credit it, or record the refund under Payments.',
  several: 'Several payments arrived for this deposit. Decide on each under Payments.',
} as const

/** Why nothing is credited to an account, for staff. */
export const uncreditableTexts = {
  account_closed: exceptionTexts.accountClosed,
  account_in_demo_group: exceptionTexts.accountInDemoGroup,
} as const

export const exceptionDecisions = ['credit_agreed', 'credit_paid', 'given_back', 'explained'] as const
export type ExceptionDecision = (typeof exceptionDecisions)[number]
export const exceptionStates = ['open', 'proposed', 'closed'] as const

const ok = z.object({ status: z.literal('ok') })
const money = z.string().nullable()

export const deskException = z.object({
  _id: z.uuid(),
  /** Empty for a transfer that staff made by hand. */
  provider: z.string(),
  kind: z.enum(['paid', 'returned']),
  why: z.string(),
  state: z.enum(exceptionStates),
  payment: z.string(),
  paid: money,
  paid_currency: z.string().nullable(),
  word: z.string(),
  opened_at: z.int(),
  order: z.object({
    _id: z.uuid(),
    state: z.enum(orderStates),
    amount: z.string(),
    fee: z.string(),
    charge: z.string(),
    currency: z.string(),
    attempt: z.string(),
    created_at: z.int(),
  }),
  deposit: z.object({ _id: z.uuid(), ticket: z.string(), state: z.enum(transactionStates) }),
  /** For a payout or a transfer by hand that came back: `order` is what was paid, and `deposit` its withdrawal, or the deposit that was refused. */
  payout: z
    .object({
      withdrawal_id: z.uuid(),
      ticket: z.string(),
      beneficiary: z.string(),
      /** What of it was credited back or paid again. */
      settled: z.string(),
      paid_at: z.int().nullable(),
    })
    .nullable()
    .default(null), // The previous version omits it.
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }),
  /** The member is the reading staff user, so another colleague must decide. */
  is_own: z.boolean().default(false), // The previous version omits it.
  account: z.object({ platform_login: z.string() }),
  /** The amount that each decision would credit; null if it is not available. */
  creditable: z.object({ credit_agreed: money, credit_paid: money, people_needed: z.int() }),
  /** Still open, with an order from before a restored backup. */
  before_restore: z.boolean().default(false), // The previous version omits it.
  decision: z.enum(exceptionDecisions).nullable(),
  note: z.string().nullable(),
  outside_reference: z.string().nullable(),
  proposed_by: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.int().nullable(),
  credited: z.object({ _id: z.uuid(), ticket: z.string(), state: z.enum(transactionStates) }).nullable(),
})
export type DeskException = z.output<typeof deskException>

export const exceptionCalls = listCalls(exceptionsList, {
  path: '/desk/api/payment-cases',
  right: 'money.read',
  row: deskException,
})

const note = z.string().trim().max(limits.commentCharsMax, deskTexts.reasonTooLong).default('')

/** Credits once, refunds outside of the program, or closes with a reason. Needs two people above the workspace's amount. */
export const decideException = defineCall({
  method: 'POST',
  path: '/desk/api/payment-cases/:id/decide',
  access: 'staff',
  right: 'money.decide',
  decides: ['payment-exception.credit', 'payment-exception.close'],
  input: z.object({
    id: z.uuid(),
    ...decisionKey,
    decision: z.enum(exceptionDecisions),
    note,
    outside_reference: z.string().trim().max(limits.originCharsMax).default(''),
    /** The decision that the page showed as proposed; null for none. The previous version omits it. */
    seen: z.enum(exceptionDecisions).nullish(),
    /** Its payment reference, in the same way. */
    seen_reference: z.string().max(limits.originCharsMax).nullish(),
  }),
  answer: ok.extend({ case: deskException }),
})
