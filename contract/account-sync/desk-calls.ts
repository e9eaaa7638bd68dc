import { z } from 'zod'
import { accountAccesses } from '../accounts/access.ts'
import { defineCall } from '../call.ts'
import { listCalls } from '../list-calls.ts'
import { decisionKey } from '../money/decision-key.ts'
import { deskReason } from '../staff/reason.ts'
import { deskTexts } from '../staff/texts.ts'
import { knownOr } from '../unknown-values.ts'
import { identifier } from '../validators/identifier.ts'
import { accountsList, differencesList } from './desk-list.ts'
import {
  type DifferenceKind,
  type DifferenceState,
  deskAccountStates,
  differenceEnds,
  differenceKinds,
  differenceStates,
} from './states.ts'

/** Decisions of staff about a discrepancy. `decisionsFor` says which of them apply. */
export const differenceDecisions = ['import', 'archive', 'restore', 'keep', 'reopen'] as const
export type DifferenceDecision = (typeof differenceDecisions)[number]

const decisionsOf: Record<DifferenceKind, readonly DifferenceDecision[]> = knownOr([], {
  unknown_owner: ['import', 'keep'],
  gone: ['archive', 'keep'],
  currency: ['keep'],
  returned: ['restore', 'keep'],
  fields: ['keep'],
})

type Decidable = { kind: DifferenceKind; state: DifferenceState }

export function decisionsFor({ kind, state }: Decidable): readonly DifferenceDecision[] {
  if (state === 'kept') return ['reopen']
  return state === 'open' ? decisionsOf[kind] : []
}

const ok = z.object({ status: z.literal('ok') })
/** Why the owner of an account is not corrected. */
export const accountOwnerTexts = {
  changed: 'The owner has been corrected since you opened this page. Please load it again.',
  isOwner: 'This member is already the owner.',
  isUsed:
    'The member opened this account here, or money was moved on it, so its owner cannot be changed. Restrict its access, and contact the members.',
} as const

/** One person's word about the owner of an account that has money on it. */
const ownerProposed = z.object({ by: z.string(), customer_number: z.string(), is_you: z.boolean() })

const owner = z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() })

export const accountDifference = z.object({
  _id: z.uuid(),
  kind: z.enum(differenceKinds),
  /** A reason of the account sync with a label at the desk, or a currency. */
  reason: z.string(),
  platform_name: z.string(),
  platform_login: z.string(),
  group_name: z.string().nullable(),
  leverage: z.int().nullable(),
  /** The holder according to the platform; only while the discrepancy is open. */
  holder: z.string().nullable(),
  holder_email: z.string().nullable(),
  account_id: z.uuid().nullable(),
  member: owner.nullable(),
  /** The owner that a colleague named and a second person confirms. The previous version omits it. */
  owner_proposed: ownerProposed.nullable().default(null),
  first_seen_at: z.int(),
  last_seen_at: z.int(),
  state: z.enum(differenceStates),
  /** Null while open; `by` is null if no person decided. */
  decided: z.object({ how: z.enum(differenceEnds), at: z.int(), by: z.string().nullable() }).nullable(),
})

/** Filter options of the list. */
const extra = { platforms: z.array(z.object({ _id: z.uuid(), name: z.string() })) }

export const differenceCalls = listCalls(differencesList, {
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

/** All accounts of the brokerage, as stored here. */
export const deskAccountCalls = listCalls(accountsList, {
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
  /** When the account metrics were read from the platform. */
  as_of: z.int().nullable(),
  member: owner,
  portal: side,
  /** Null if the platform does not answer or does not have the account. */
  platform: side.nullable(),
  platform_problem: z.enum(['not_connected', 'not_answering', 'not_there']).nullable(),
  differences: z.array(accountDifference),
  /** Since when a change of name, email, phone or address is pending at the platform. The previous version omits it. */
  details_due_since: z.int().nullable().default(null),
  /** Passwords that a former owner may still know. The previous version omits it. */
  passwords_due: z.array(z.enum(['main', 'investor'])).default([]),
  /** Whether its owner can be corrected: no money was moved on it here. The previous version omits it. */
  may_correct_owner: z.boolean().default(false),
  /** Another owner, whom a colleague named and a second person confirms. The previous version omits it. */
  owner_proposed: ownerProposed.nullable().default(null),
})

/** One account, as stored here and as its platform currently has it. */
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

/** Sets an account's access on the platform and in the portal; the owner's notification omits the reason. */
export const setAccountAccess = defineCall({
  method: 'POST',
  path: '/desk/api/accounts/:id/access',
  access: 'staff',
  right: 'accounts.restrict',
  input: z.object({
    id: z.uuid(),
    access: z.enum(accountAccesses),
    reason: deskReason,
    /** The access that was shown: a change made meanwhile is not undone unseen. The previous version omits it. */
    seen: z.enum(accountAccesses).optional(),
  }),
  answer: ok.extend({ account: deskAccount }),
})

export const decideAccountDifference = defineCall({
  method: 'POST',
  path: '/desk/api/account-differences/:id/decide',
  access: 'staff',
  right: 'money.decide',
  decides: ['account-difference.decide', 'account.assign-owner'],
  input: z.object({
    id: z.uuid(),
    decision: z.enum(differenceDecisions),
    /** The owner and kind of an imported account. */
    customer_number: identifier().max(50).optional(),
    account_kind: z.enum(['live', 'demo']).optional(),
  }),
  /** `is_waiting`: the import needs a second person, because the account has money on it. */
  answer: ok.extend({ is_waiting: z.boolean().default(false) }), // The previous version omits it.
})

/** Gives an account to another member while no money was moved on it here. It takes as many people as its balance. */
export const correctAccountOwner = defineCall({
  method: 'POST',
  path: '/desk/api/accounts/:id/owner',
  access: 'staff',
  right: 'money.decide',
  decides: ['account.assign-owner'],
  input: z.object({
    id: z.uuid(),
    ...decisionKey,
    customer_number: identifier({ error: deskTexts.differenceMember }).max(50),
    reason: deskReason,
  }),
  answer: ok.extend({ account: deskAccount }),
})
