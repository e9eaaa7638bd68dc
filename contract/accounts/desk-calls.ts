import { z } from 'zod'
import { defineCall } from '../call.ts'
import { listCalls } from '../list-calls.ts'
import {
  type DifferenceKind,
  differenceEnds,
  differenceKinds,
  differenceStates,
} from '../reconciliation/difference-states.ts'
import { deskReason } from '../staff/reason.ts'
import { identifier } from '../validators/identifier.ts'
import { accountAccesses } from './access.ts'
import { accountsList, differencesList } from './desk-list.ts'
import { deskAccountStates } from './desk-states.ts'

/** What staff may do about a difference. Which of them fits stands in `decisionsOf`. */
export const differenceDecisions = ['import', 'archive', 'restore', 'keep'] as const
export type DifferenceDecision = (typeof differenceDecisions)[number]

export const decisionsOf: Record<DifferenceKind, readonly DifferenceDecision[]> = {
  unknown_owner: ['import', 'keep'],
  gone: ['archive', 'keep'],
  currency: ['keep'],
  returned: ['restore', 'keep'],
  fields: ['keep'],
}

/** Sentences about setting an account's access. */
export const accessTexts = {
  unusable: 'This account is archived or deleted, so its access cannot be set.',
  underWay: 'Somebody is changing this at the moment. Look at the account again in a moment.',
  notSet: 'The platform has not taken the change, and the account is as it was.',
  unknown:
    'The platform did not say whether it took the change. Look at what it says of the account now, then set it again: that does no harm.',
} as const

const ok = z.object({ status: z.literal('ok') })
const owner = z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() })

export const accountDifference = z.object({
  _id: z.uuid(),
  kind: z.enum(differenceKinds),
  /** A word of the comparison that the desk has a sentence for, or a currency. */
  reason: z.string(),
  platform_name: z.string(),
  platform_login: z.string(),
  group_name: z.string().nullable(),
  leverage: z.int().nullable(),
  /** Who stands at the platform; only while nothing is decided. */
  holder: z.string().nullable(),
  holder_email: z.string().nullable(),
  account_id: z.uuid().nullable(),
  member: owner.nullable(),
  first_seen_at: z.int(),
  last_seen_at: z.int(),
  state: z.enum(differenceStates),
  /** Null while it is open; `by` is null where no person decided. */
  decided: z.object({ how: z.enum(differenceEnds), at: z.int(), by: z.string().nullable() }).nullable(),
})

/** What the list can be narrowed to. */
const extra = { platforms: z.array(z.object({ _id: z.uuid(), name: z.string() })) }

export const { list: listAccountDifferences, table: exportAccountDifferences } = listCalls(differencesList, {
  path: '/desk/api/account-differences',
  right: 'members.read',
  row: accountDifference,
  extra,
})

export const deskAccountRow = z.object({
  _id: z.uuid(),
  platform_login: z.string(),
  platform_name: z.string(),
  group_name: z.string(),
  live_account: z.boolean(),
  currency: z.string(),
  leverage: z.int(),
  balance: z.string().nullable(),
  equity: z.string().nullable(),
  access: z.enum(accountAccesses),
  state: z.enum(deskAccountStates),
  created_at: z.int(),
  member: owner,
})

/** All accounts of the brokerage, as they are kept here. */
export const { list: listDeskAccounts, table: exportDeskAccounts } = listCalls(accountsList, {
  path: '/desk/api/accounts',
  right: 'members.read',
  row: deskAccountRow,
  extra,
})

const side = z.object({
  group_name: z.string(),
  leverage: z.int(),
  currency: z.string(),
  is_enabled: z.boolean(),
  is_read_only: z.boolean(),
  may_change_password: z.boolean(),
  balance: z.string().nullable(),
  equity: z.string().nullable(),
})

const deskAccount = z.object({
  _id: z.uuid(),
  platform_login: z.string(),
  platform_name: z.string(),
  platform_type: z.string(),
  live_account: z.boolean(),
  archived: z.boolean(),
  deleted: z.boolean(),
  created_at: z.int(),
  /** When our figures were read from the platform. */
  as_of: z.int().nullable(),
  member: owner,
  portal: side,
  /** Null while it cannot be read, or is not there. */
  platform: side.nullable(),
  platform_problem: z.enum(['not_connected', 'not_answering', 'not_there']).nullable(),
  differences: z.array(accountDifference),
  /** Since when the platform has not taken the member's new name, email, phone or address. The version before does not say. */
  details_due_since: z.int().nullable().default(null),
})

/** One account as we have it, and as its platform has it at this moment. */
export const readDeskAccount = defineCall({
  method: 'GET',
  path: '/desk/api/accounts/:id',
  access: 'staff',
  right: 'members.read',
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({
    account: deskAccount,
  }),
})

/** Sets on the platform, and with it in the portal, how far the account can be used; its owner is notified without the reason. */
export const setAccountAccess = defineCall({
  method: 'POST',
  path: '/desk/api/accounts/:id/access',
  access: 'staff',
  right: 'accounts.restrict',
  input: z.object({ id: z.uuid(), access: z.enum(accountAccesses), reason: deskReason }),
  answer: ok.extend({ account: deskAccount }),
})

export const decideAccountDifference = defineCall({
  method: 'POST',
  path: '/desk/api/account-differences/:id/decide',
  access: 'staff',
  right: 'money.decide',
  decides: ['account-difference.decide'],
  input: z.object({
    id: z.uuid(),
    decision: z.enum(differenceDecisions),
    /** Whose account it is, and of which kind, when it is taken in. */
    customer_number: identifier().max(50).optional(),
    account_kind: z.enum(['live', 'demo']).optional(),
  }),
  answer: ok,
})
