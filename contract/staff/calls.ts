/** Calls of the brokerage's staff, all under /desk/api so that one proxy rule can restrict them to a network. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { scanState } from '../files/calls.ts'
import { depositsList } from '../funding/desk-lists.ts'
import { rejectionReasonNames, transactionStates } from '../funding/states.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { documentsStatuses } from '../members/states.ts'
import { decisionKey } from '../money/decision-key.ts'
import { orderStates } from '../payments/orders.ts'
import { sessionUser, signInAnswer, signInInput, signInWithFactor } from '../sessions/calls.ts'

const ok = z.object({ status: z.literal('ok') })

export const deskSignIn = defineCall({
  method: 'POST',
  path: '/desk/api/login',
  access: 'anyone',
  isHarmlessTwice: true,
  input: signInInput,
  answer: signInAnswer,
})

export const deskSignInWithFactor = defineCall({ ...signInWithFactor, path: '/desk/api/login/second-factor' })

export const deskSignOut = defineCall({
  method: 'POST',
  path: '/desk/api/logout',
  access: 'staff',
  right: 'desk.use',
  input: z.object({}),
  answer: ok,
})

export const readDeskUser = defineCall({
  method: 'GET',
  path: '/desk/api/me',
  access: 'staff',
  right: 'desk.use',
  input: z.object({}),
  answer: ok.extend({ user: sessionUser.extend({ picture: z.string().nullable() }) }),
})

/** Like the portal's: reports activity, which alone extends an idle session. */
export const deskActivity = defineCall({
  method: 'POST',
  path: '/desk/api/activity',
  access: 'staff',
  right: 'desk.use',
  input: z.object({ mouse: z.boolean().optional() }),
  answer: ok,
})

export const deskDepositRow = z.object({
  _id: z.uuid(),
  ticket: z.string(),
  state: z.enum(transactionStates),
  amount: z.string(),
  currency: z.string(),
  created_at: z.int(),
  member: z.object({
    _id: z.uuid(),
    name: z.string(),
    customer_number: z.string(),
    /** The status of the identity verification; the previous version omits it. */
    documents_status: z.enum(documentsStatuses).nullable().default(null),
  }),
  account: z.object({
    _id: z.uuid(),
    platform_login: z.string(),
    platform_type: z.string(),
    live_account: z.boolean(),
  }),
  payment_method: z.string(),
  platform_ticket: z.string().nullable(),
  /** The operation on the platform needs staff to continue. The previous version omits it. */
  is_stuck: z.boolean().default(false),
  /** The state of the order at a provider; the previous version omits it. */
  payment_state: z.enum(orderStates).nullable().default(null),
})

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

/** A deposit in the queue, with its number of approvals. */
export const deskDepositListRow = deskDepositRow.extend(approvalCounts)

export const approvedBy = z.array(z.object({ name: z.string(), at: z.int(), is_you: z.boolean() }))

export const timelineEntry = z.object({
  at: z.int(),
  event: z.string(),
  by: z.string(),
  /** The staff user; null for any other actor. */
  staff_name: z.string().nullable(),
  note: z.string().nullable(),
})

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

export const deskDeposit = deskDepositListRow.extend({
  approved_by: approvedBy.default([]),
  /** The member is the reading staff user, so another colleague must decide. */
  is_own: z.boolean().default(false),
  risk: riskFacts,
  comment: z.string(),
  origin: z.string(),
  destination: z.string(),
  rejection: z.object({ reason: z.enum(rejectionReasonNames), note: z.string().nullable() }).nullable(),
  receipts: z.array(
    z.object({
      _id: z.uuid(),
      name: z.string(),
      type: z.string(),
      size_bytes: z.int(),
      url: z.string(),
      scan: scanState,
    }),
  ),
  timeline: z.array(timelineEntry),
  payment: deskPayment.nullable(),
  /** The state of the crediting, with its last problem; null if none is in progress. */
  crediting: z
    .object({ state: z.string(), attempt: z.int(), tag: z.string(), last_problem: z.string().nullable() })
    .nullable(),
})

/** Additional fields of the deposit and withdrawal queues; counts stop at `limits.countedMax`. */
export const queueNumbers = {
  /** True when `total` is a lower bound, because the search matches too much to be counted completely. */
  total_is_least: z.boolean().optional(),
  counts: z.record(z.enum(transactionStates), z.int()),
}

export const { list: listDeposits, table: exportDeposits } = listCalls(depositsList, {
  path: '/desk/api/deposits',
  right: 'money.read',
  row: deskDepositListRow,
  extra: queueNumbers,
})

const waiting = z.object({ count: z.int(), stuck: z.int() }).optional()

/** The number of waiting items in each queue that the role may read, for the menu; counted up to a thousand. */
export const readWaiting = defineCall({
  method: 'GET',
  path: '/desk/api/waiting',
  access: 'staff',
  right: 'desk.use',
  input: z.object({}),
  answer: ok.extend({ deposits: waiting, withdrawals: waiting, payments: waiting, documents: waiting }),
})

export const readDeposit = defineCall({
  method: 'GET',
  path: '/desk/api/deposits/:id',
  access: 'staff',
  right: 'money.read',
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({ deposit: deskDeposit }),
})

export const approveDeposit = defineCall({
  method: 'POST',
  path: '/desk/api/deposits/:id/approve',
  access: 'staff',
  right: 'money.decide',
  decides: ['deposit.approve'],
  input: z.object({ id: z.uuid(), ...decisionKey }),
  answer: ok.extend({ deposit: deskDeposit }),
})

/** Looks up a stuck credit on the platform again, after staff have corrected the account's history. */
export const lookAgain = defineCall({
  method: 'POST',
  path: '/desk/api/deposits/:id/look-again',
  access: 'staff',
  right: 'money.decide',
  decides: ['deposit.retry-stuck'],
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({ deposit: deskDeposit }),
})

export const rejectDeposit = defineCall({
  method: 'POST',
  path: '/desk/api/deposits/:id/reject',
  access: 'staff',
  right: 'money.decide',
  decides: ['deposit.reject'],
  input: z.object({
    id: z.uuid(),
    ...decisionKey,
    reason: z.enum(rejectionReasonNames),
    note: z.string().trim().max(limits.commentCharsMax).optional(),
  }),
  answer: ok.extend({ deposit: deskDeposit }),
})
