/** Calls of the desk about deposits. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { scanState } from '../files/calls.ts'
import { heldFile } from '../files/held-file.ts'
import { approvalCounts, approvedBy, queueNumbers, riskFacts, timelineEntry } from '../funding/desk-calls.ts'
import { depositsList } from '../funding/desk-list.ts'
import { rejectionReasonNames, transactionStates } from '../funding/states.ts'
import { stuckOutcomeFields, stuckOutcomeInput } from '../funding/stuck-outcome.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { documentsStatuses } from '../members/states.ts'
import { decisionKey, seenApprovals } from '../money/decision-key.ts'
import { deskPayment } from '../payments/desk-payment.ts'
import { orderStates } from '../payments/orders.ts'

const ok = z.object({ status: z.literal('ok') })

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

/** A deposit in the queue, with its number of approvals. */
export const deskDepositListRow = deskDepositRow.extend(approvalCounts)

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
      ...heldFile,
    }),
  ),
  timeline: z.array(timelineEntry),
  payment: deskPayment.nullable(),
  /** The state of the crediting, with its last problem; null if none is in progress. */
  crediting: z
    .object({
      ...{ state: z.string(), attempt: z.int(), tag: z.string(), last_problem: z.string().nullable() },
      ...stuckOutcomeFields,
    })
    .nullable(),
})

export const deskDepositCalls = listCalls(depositsList, {
  path: '/desk/api/deposits',
  right: 'money.read',
  row: deskDepositListRow,
  extra: queueNumbers,
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
  input: z.object({ id: z.uuid(), ...decisionKey, ...seenApprovals }),
  answer: ok.extend({ deposit: deskDeposit }),
})

/** Looks up a stuck credit on the platform again, after staff have corrected the account's history. */
export const lookUpAgain = defineCall({
  method: 'POST',
  path: '/desk/api/deposits/:id/look-again',
  access: 'staff',
  right: 'money.decide',
  decides: ['deposit.retry-stuck'],
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({ deposit: deskDeposit }),
})

/** Records what happened to a credit whose account was deleted on the platform; two people say the same. */
export const settleStuckDeposit = defineCall({
  method: 'POST',
  path: '/desk/api/deposits/:id/outcome',
  access: 'staff',
  right: 'money.decide',
  decides: ['deposit.settle-stuck'],
  input: stuckOutcomeInput,
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
    ...seenApprovals,
    reason: z.enum(rejectionReasonNames),
    note: z.string().trim().max(limits.commentCharsMax).optional(),
  }),
  answer: ok.extend({ deposit: deskDeposit }),
})
