import { z } from 'zod'
import { uploadedQr } from '../banking/desk-calls.ts'
import { defineCall } from '../call.ts'
import { deskDepositRow } from '../deposits/desk-calls.ts'
import { approvedBy, queueNumbers, riskFacts, timelineEntry } from '../funding/desk-calls.ts'
import { withdrawalsList } from '../funding/desk-list.ts'
import { stuckOutcomeFields, stuckOutcomeInput } from '../funding/stuck-outcome.ts'
import { limits } from '../limits.ts'
import { listCalls } from '../list-calls.ts'
import { decisionKey, seenApprovals } from '../money/decision-key.ts'
import { typedAmount } from '../money/typed-amount.ts'
import { deskPayment } from '../payments/desk-payment.ts'
import { payoutReasons, payoutStates } from '../payments/payouts.ts'
import { texts } from '../texts.ts'
import { givenReasons, withdrawalReasons } from './calls.ts'

/** Texts of the desk about withdrawals. */
export const withdrawalDeskTexts = {
  platformSilent:
    'The trading platform does not answer, so the available amount is unknown. Approve it once the platform answers.',
  notCovered: 'The account no longer has enough available funds. Ask the member, or reject it.',
  identityMissing:
    "The member's identity is not approved, and withdrawals of this brokerage require that. Decide on the documents first, or reject or refund it. A transfer that was already made is recorded with a reason by two people.",
  held: 'Withdrawals of this member are held until {{until}}, since their password, second factor, name, email or phone was changed. Approve or pay it after that, or reject or refund it. A transfer that was already made is recorded with a reason by two people.',
  beneficiaryChanged:
    'This beneficiary was changed after the withdrawal was requested. Pay the approved one by hand, or return the amount; the member can request it again.',
  memberLocked: 'The sign-in of this member is locked. Unlock it before you approve or pay the withdrawal.',
  accountRestricted:
    'This account is read-only or disabled, which closes its withdrawals. Restore its access before you approve or pay it.',
  accountClosed:
    'This account is archived or deleted, or the platform gave its number to somebody else, so nothing can be debited from it. Reject the withdrawal.',
  accountInDemoGroup:
    'The platform moved this account to a group that is offered for accounts of the other kind, live or demo, so nobody knows whether its balance is real money. Check the account on the platform before you approve or pay it.',
  decidedAlready: 'This withdrawal has already been decided.',
  ownRequest: 'You requested this withdrawal yourself, so somebody else has to decide.',
  notPayable: 'Only withdrawals that were debited on the platform and are not paid out yet can be marked.',
  reportedPaid:
    'A colleague recorded that this was paid by hand. Confirm it under the same reference, or refund the withdrawal, which takes two people.',
  notPaidByHand:
    'Only withdrawals that staff paid by hand can be reported as returned, and further returns of a payout that came back before.',
  returnTooLarge:
    'At most {{left}} of this payment can be reported as returned: the rest is already reported or settled.',
  returnKnown: 'A return with this reference has already been reported. It is listed under Payments.',
  providerOff:
    'The payment provider is switched off. Switch it on and try again, pay it by hand, or return the amount.',
  providerHasIt: 'The payment provider has this payout. Wait for its answer: otherwise it might be paid twice.',
} as const

/** What closes withdrawals, with the reason that staff read. */
export const withdrawalClosures = {
  member_locked: withdrawalDeskTexts.memberLocked,
  account_restricted: withdrawalDeskTexts.accountRestricted,
  account_closed: withdrawalDeskTexts.accountClosed,
  account_in_demo_group: withdrawalDeskTexts.accountInDemoGroup,
} as const
export type WithdrawalClosure = keyof typeof withdrawalClosures
const closureNames = Object.keys(withdrawalClosures) as [WithdrawalClosure, ...WithdrawalClosure[]]

/** The fields of a beneficiary, in the order in which banks ask for them. */
export const beneficiaryFields = [
  'account_holder',
  'iban_number',
  'bank_account',
  'swift',
  'bank_name',
  'bank_branch',
  'routing_number',
  'bank_address',
  'country',
  'currency',
  'name',
  'provider',
  'address',
  'address_tag',
  'notes',
] as const
export type BeneficiaryField = (typeof beneficiaryFields)[number]

const ok = z.object({ status: z.literal('ok') })
const reasonNames = Object.keys(withdrawalReasons) as [keyof typeof withdrawalReasons]

export const deskWithdrawalRow = deskDepositRow.extend({
  fee: z.string(),
  net: z.string(),
  destination: z.string().nullable(),
  approvals: z.int(),
  approvals_needed: z.int(),
})
export type DeskWithdrawalRow = z.output<typeof deskWithdrawalRow>

/** One payout attempt at a provider, with its answer. */
export const deskPayout = z.object({
  provider: z.string(),
  state: z.enum(payoutStates),
  why: z.enum(payoutReasons).nullable(),
  problem: z.string().nullable(),
  attempt: z.string(),
  reference: z.string().nullable(),
  amount: z.string(),
  currency: z.string(),
  /** For a payout in a coin: the coin, and the amount once the provider has reported it. */
  coin: z.string().nullable(),
  coin_amount: z.string().nullable(),
  created_at: z.int(),
  notifications: deskPayment.shape.notifications,
})
export type DeskPayout = z.output<typeof deskPayout>

export const deskWithdrawal = deskWithdrawalRow.extend({
  risk: riskFacts,
  comment: z.string(),
  destination_text: z.string().nullable(),
  /** The beneficiary's fields, unless it changed since. The previous version does not send them. */
  destination_fields: z.array(z.object({ name: z.enum(beneficiaryFields), value: z.string() })).default([]),
  /** With the fields: the QR code of the address. */
  destination_qr: uploadedQr.nullable().default(null), // Not sent by the previous version.
  coin: z.string().nullable(),
  payout_reference: z.string().nullable(),
  rejection: z.object({ reason: z.enum(reasonNames), note: z.string().nullable() }).nullable(),
  approved_by: approvedBy,
  /** Payout waits for the member's identity to be approved. */
  waits_for_identity: z.boolean().default(false), // Not sent by the previous version.
  /** The member's name, email, phone, password or second factor changed: no approval or payout before this time. */
  held_until: z.int().nullable().default(null), // Not sent by the previous version.
  /** A colleague's word that the transfer was already made by hand, which a second person confirms. */
  paid_by_hand: z
    .object({
      ...{ reference: z.string(), reason: z.string(), by: z.string(), at: z.int(), is_you: z.boolean() },
      /** Who reported it as failed; a second person must confirm. */
      failed_by: z.string().nullable().default(null), // Not sent by the previous version.
    })
    .nullable()
    .default(null), // Not sent by the previous version.
  /** What of a payment by hand the bank may have returned: what was paid, less what was reported or settled. Null if none. */
  returnable: z.string().nullable().default(null), // Not sent by the previous version.
  /** It would be another return of a payout of which the provider reported one: its decision takes two people. */
  is_returned_again: z.boolean().default(false), // Not sent by the previous version.
  /** Why it can be neither approved nor paid, beside identity and hold: its member is locked, or its account is. */
  closed_by: z.enum(closureNames).nullable().default(null), // Not sent by the previous version.
  /** The reader is the member: a colleague has to decide. */
  is_own: z.boolean().default(false), // Not sent by the previous version.
  timeline: z.array(timelineEntry),
  /** Newest first. */
  payouts: z.array(deskPayout),
  /** Whether staff may start a payout by the provider now, for the first time or again. */
  may_pay_by_provider: z.boolean(),
  /** Open, and requested before a backup was restored: its later history is lost. */
  before_restore: z.boolean().default(false), // Not sent by the previous version.
  /** The balance operations on the platform, newest first. */
  platform: z
    .object({
      kind: z.enum(['debit', 'credit-back']),
      state: z.string(),
      attempt: z.int(),
      tag: z.string(),
      last_problem: z.string().nullable(),
      ...stuckOutcomeFields,
    })
    .nullable(),
})
export type DeskWithdrawal = z.output<typeof deskWithdrawal>

const answer = ok.extend({ withdrawal: deskWithdrawal })

export const deskWithdrawalCalls = listCalls(withdrawalsList, {
  path: '/desk/api/withdrawals',
  right: 'money.read',
  row: deskWithdrawalRow,
  extra: queueNumbers,
})

export const readWithdrawal = defineCall({
  method: 'GET',
  path: '/desk/api/withdrawals/:id',
  access: 'staff',
  right: 'money.read',
  input: z.object({ id: z.uuid() }),
  answer,
})

export const approveWithdrawal = defineCall({
  method: 'POST',
  path: '/desk/api/withdrawals/:id/approve',
  access: 'staff',
  right: 'money.decide',
  decides: ['withdrawal.approve'],
  input: z.object({ id: z.uuid(), ...decisionKey, ...seenApprovals }),
  answer,
})

export const rejectWithdrawal = defineCall({
  method: 'POST',
  path: '/desk/api/withdrawals/:id/reject',
  access: 'staff',
  right: 'money.decide',
  decides: ['withdrawal.reject'],
  input: z.object({
    id: z.uuid(),
    ...decisionKey,
    ...seenApprovals,
    reason: z.enum(givenReasons),
    note: z.string().trim().max(limits.commentCharsMax).optional(),
  }),
  answer,
})

const required = z.string({ error: texts.fieldsMissing }).trim().min(1, texts.fieldsMissing)

export const markWithdrawalPaid = defineCall({
  method: 'POST',
  path: '/desk/api/withdrawals/:id/paid',
  access: 'staff',
  right: 'money.decide',
  decides: ['withdrawal.mark-paid', 'withdrawal.record-paid'],
  input: z.object({
    id: z.uuid(),
    ...decisionKey,
    reference: required.max(120),
    /** Of a transfer made before a hold or a missing identity was noticed: with it, two people record what happened. */
    reason: z.string().trim().max(limits.commentCharsMax).optional(),
  }),
  answer,
})

/** Returns the money to the account: by one person, or by two if a colleague recorded that it was paid by hand. */
export const markPayoutFailed = defineCall({
  method: 'POST',
  path: '/desk/api/withdrawals/:id/payout-failed',
  access: 'staff',
  right: 'money.decide',
  decides: ['withdrawal.mark-failed', 'withdrawal.dispute-paid'],
  input: z.object({ id: z.uuid(), ...decisionKey, note: required.max(limits.commentCharsMax) }),
  answer,
})

/** Records that the bank returned a transfer that staff made by hand, or another return of a payout: a payment exception. */
export const reportReturnedTransfer = defineCall({
  method: 'POST',
  path: '/desk/api/withdrawals/:id/returned',
  access: 'staff',
  right: 'money.decide',
  decides: ['withdrawal.report-returned'],
  input: z.object({
    id: z.uuid(),
    ...decisionKey,
    amount: typedAmount({ error: texts.amountMissing }),
    /** The bank's reference of the return, which tells several returns of one payment apart. */
    reference: required.max(120),
    reason: required.max(limits.commentCharsMax),
  }),
  answer,
})

/** Starts the payout of a debited withdrawal by its beneficiary's provider. */
export const payWithdrawalByProvider = defineCall({
  method: 'POST',
  path: '/desk/api/withdrawals/:id/pay-by-provider',
  access: 'staff',
  right: 'money.decide',
  decides: ['withdrawal.pay-by-provider'],
  input: z.object({ id: z.uuid(), ...decisionKey }),
  answer,
})

export const lookUpWithdrawalAgain = defineCall({
  method: 'POST',
  path: '/desk/api/withdrawals/:id/look-again',
  access: 'staff',
  right: 'money.decide',
  decides: ['withdrawal.retry-stuck'],
  input: z.object({ id: z.uuid() }),
  answer,
})

/** Records what happened to a debit or a refund whose account was deleted on the platform; two people say the same. */
export const settleStuckWithdrawal = defineCall({
  method: 'POST',
  path: '/desk/api/withdrawals/:id/outcome',
  access: 'staff',
  right: 'money.decide',
  decides: ['withdrawal.settle-stuck'],
  input: stuckOutcomeInput,
  answer,
})

const finding = z.object({ kind: z.string(), subject: z.string(), detail: z.string(), since: z.int() })

/** Differences between our ledger and the platforms. Normally empty. */
export const readLedger = defineCall({
  method: 'GET',
  path: '/desk/api/ledger',
  access: 'staff',
  right: 'money.read',
  input: z.object({}),
  answer: ok.extend({ checked_at: z.int().nullable(), findings: z.array(finding) }),
})
