import { z } from 'zod'
import { features, memberPermissions, memberTypes } from '../access/scopes.ts'
import { uploadedQr } from '../banking/desk-calls.ts'
import { defineCall } from '../call.ts'
import { formatLocales } from '../languages.ts'
import { listCalls } from '../list-calls.ts'
import { accountKinds, openingStates } from '../openings/states.ts'
import { ownSession } from '../sessions/calls.ts'
import { deskReason } from '../staff/reason.ts'
import { texts } from '../texts.ts'
import { ticketStates } from '../tickets/states.ts'
import { identifier, searchText } from '../validators/identifier.ts'
import { phoneInput } from '../validators/phone.ts'
import { countryCodes } from './countries.ts'
import { membersList } from './desk-list.ts'
import { memberDetails } from './details.ts'
import { documentsStatuses, memberStatuses } from './states.ts'
import { profileTexts } from './texts.ts'

const ok = z.object({ status: z.literal('ok') })

export const deskMemberRow = z.object({
  _id: z.uuid(),
  name: z.string(),
  customer_number: z.string(),
  email: z.string(),
  status: z.enum(memberStatuses),
  documents_status: z.enum(documentsStatuses),
  created_at: z.int(),
  live_count: z.int(),
  demo_count: z.int(),
})

export const deskMemberCalls = listCalls(membersList, {
  path: '/desk/api/members',
  right: 'members.read',
  row: deskMemberRow,
  /** True if counting stopped early because the search matches too many, so the total is a minimum. */
  extra: { total_is_least: z.boolean().optional() },
})

const deskAccount = z.object({
  _id: z.uuid(),
  platform_login: z.string(),
  platform_type: z.string(),
  live_account: z.boolean(),
  currency: z.string(),
  leverage: z.int(),
  status: z.string(),
  balance: z.string().nullable(),
  equity: z.string().nullable(),
  /** Time of the last answer of the platform; null if there was none. */
  as_of: z.int().nullable(),
})

export const deskOpening = z.object({
  _id: z.uuid(),
  kind: z.enum(accountKinds),
  state: z.enum(openingStates),
  platform: z.string(),
  group: z.string(),
  leverage: z.int(),
  login: z.string().nullable(),
  /** The tag in the account's comment at the platform. */
  tag: z.string(),
  problem: z.string().nullable(),
  platform_text: z.string().nullable(),
  created_at: z.int(),
  ended_at: z.int().nullable(),
})

const salesPerson = z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() })
export type SalesPerson = z.output<typeof salesPerson>

export const deskMember = deskMemberRow.extend({
  title: z.string().nullable(),
  /** Below /cp, the path of the desk's file cookie. */
  picture: z.string().nullable(),
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  type: z.string(),
  addresses: z.array(
    z.object({
      lines: z.array(z.string()),
      country_code: z.string().nullable(),
      primary: z.boolean(),
    }),
  ),
  accounts: z.array(deskAccount),
  /** The member's latest openings, with any outcome. */
  openings: z.array(deskOpening),
  bank_accounts: z.array(
    z.object({
      _id: z.uuid(),
      bank_name: z.string(),
      account_holder: z.string(),
      number: z.string(),
      swift: z.string(),
      currency: z.string(),
      country_code: z.string().nullable(),
      /** End of the cooling-off period. */
      usable_from: z.int(),
    }),
  ),
  /** Wallets, and accounts with payment services. */
  other_accounts: z.array(
    z.object({
      _id: z.uuid(),
      name: z.string(),
      type: z.string(),
      provider: z.string(),
      preferred_currency: z.string(),
      address_id: z.string(),
      address_tag: z.string().nullable(),
      address_qr: uploadedQr.nullable().default(null), // Not sent by the previous version.
      notes: z.string().nullable(),
      usable_from: z.int(),
    }),
  ),
  /** The latest, newest first. */
  transactions: z.array(
    z.object({
      _id: z.uuid(),
      ticket: z.string(),
      type: z.string(),
      state: z.string(),
      amount: z.string(),
      currency: z.string(),
      created_at: z.int(),
    }),
  ),
  /** Totals of live accounts by currency. The previous version omits them. */
  totals: z.array(z.object({ currency: z.string(), deposits: z.string(), withdrawals: z.string() })).default([]),
  /** The latest, newest first, with their total number. The previous version omits them. */
  tickets: z
    .array(
      z.object({
        _id: z.uuid(),
        ticket: z.string(),
        subject: z.string(),
        state: z.enum(ticketStates),
        created_at: z.int(),
      }),
    )
    .default([]),
  ticket_count: z.int().default(0),
  /** The member's own permission entries, in addition to the default ones. */
  permissions: z.array(z.string()),
  features: z.record(z.enum(features), z.boolean()),
  last_seen_at: z.int().nullable(),
  /** Active second factors. */
  second_factors: z.object({ totp: z.boolean(), passkeys: z.int() }),
  lock: z.object({ reason: z.string(), at: z.int(), by: z.string() }).nullable(),
  /** The current values for the change form, with the profile version. */
  details: z
    .object({ first_name: z.string(), last_name: z.string(), email: z.string(), version: z.int() })
    .nullable()
    .default(null),
  /** Expiry of an open invitation; null without one. */
  invited_until: z.int().nullable().default(null),
  /** The sales person who referred the member. */
  referrer: salesPerson.nullable().default(null),
  /** Changes of the referrer, newest first. */
  referrals: z
    .array(
      z.object({
        _id: z.uuid(),
        at: z.int(),
        by: z.string(),
        from: salesPerson.nullable(),
        to: salesPerson.nullable(),
        reason: z.string(),
      }),
    )
    .default([]),
  /** The number of members whom this member referred. */
  referred_count: z.int().default(0),
})

const one = z.object({ id: z.uuid() })
const answeredMember = ok.extend({ member: deskMember })

export const readMember = defineCall({
  method: 'GET',
  path: '/desk/api/members/:id',
  access: 'staff',
  right: 'members.read',
  input: one,
  answer: answeredMember,
})

export const listMemberSessions = defineCall({
  method: 'GET',
  path: '/desk/api/members/:id/sessions',
  access: 'staff',
  right: 'members.read',
  input: one,
  answer: ok.extend({ sessions: z.array(ownSession.omit({ current: true })) }),
})

export const endMemberSession = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/sessions/end',
  access: 'staff',
  right: 'members.help',
  input: one.extend({ session_id: z.uuid() }),
  answer: ok,
})

export const endMemberSessions = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/sessions/end-all',
  access: 'staff',
  right: 'members.help',
  input: one,
  answer: ok.extend({ ended: z.int() }),
})

/** Sends a reset link by mail; the answer does not contain the link. */
export const sendMemberResetLink = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/reset-link',
  access: 'staff',
  right: 'members.help',
  input: one,
  answer: ok,
})

export const lockMember = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/lock',
  access: 'staff',
  right: 'members.lock',
  input: one.extend({ reason: deskReason }),
  answer: answeredMember,
})

export const unlockMember = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/unlock',
  access: 'staff',
  right: 'members.lock',
  /** `seen`: the time of the lock that was shown. A newer one is not lifted unseen; the previous version omits it. */
  input: one.extend({ seen: z.int().optional() }),
  answer: answeredMember,
})

export const permitMember = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/permissions',
  access: 'staff',
  right: 'members.permit',
  input: one.extend({
    /** Default permissions that are denied to this member. */
    denied: z.array(z.enum(memberPermissions)).max(memberPermissions.length),
    /** The entries shown to the editor: a concurrent change is not overwritten. */
    seen: z.array(z.string().max(100)).max(200),
  }),
  answer: answeredMember,
})

/** Exports all data of one member: an archive with machine-readable and human-readable parts, and the files. */
export const exportMember = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/export',
  access: 'staff',
  right: 'members.lock',
  input: one,
  answer: ok,
})

export const eraseMember = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/erase',
  access: 'staff',
  right: 'members.lock',
  /** Staff must type the customer number, to avoid erasing the wrong member. */
  input: one.extend({ reason: deskReason, customer_number: identifier().max(50) }),
  answer: answeredMember,
})

export const inviteMember = defineCall({
  method: 'POST',
  path: '/desk/api/members/invite',
  access: 'staff',
  right: 'members.invite',
  isHarmlessTwice: true,
  input: memberDetails.extend({
    /** Created by the form: a repeat creates no second member. */
    idempotency_key: z.uuid(),
    phone: phoneInput.optional(),
    country: z
      .string({ error: texts.countryMissing })
      .refine((code) => countryCodes.includes(code), texts.countryMissing),
    language: z.enum(formatLocales, { error: profileTexts.localeUnknown }).nullable(),
    type: z.enum(memberTypes),
  }),
  answer: answeredMember,
})

/** The new link replaces the old one. */
export const resendMemberInvitation = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/resend-invitation',
  access: 'staff',
  right: 'members.invite',
  input: one,
  answer: answeredMember,
})

/** Invalidates the link; the member stays invited and can be sent a new one. */
export const revokeMemberInvitation = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/revoke-invitation',
  access: 'staff',
  right: 'members.invite',
  input: one,
  answer: answeredMember,
})

export const changeMemberDetails = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/details',
  access: 'staff',
  right: 'members.change',
  /** `version`: the profile version that was shown. */
  input: one.extend({ ...memberDetails.shape, version: z.int().positive(), reason: deskReason }),
  answer: answeredMember,
})

export const changeMemberType = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/type',
  access: 'staff',
  right: 'members.change',
  input: one.extend({ type: z.enum(memberTypes), reason: deskReason }),
  answer: answeredMember,
})

/** `seen` is the referrer that was shown: a concurrent change is not overwritten. */
export const changeReferrer = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/referrer',
  access: 'staff',
  right: 'members.change',
  input: one.extend({ seen: z.uuid().nullable(), referrer: z.uuid().nullable(), reason: deskReason }),
  answer: answeredMember,
})

/** Searches by part of the name or the customer number; returns the first matches by name. */
export const listSalesPeople = defineCall({
  method: 'GET',
  path: '/desk/api/sales-people',
  access: 'staff',
  right: 'members.read',
  input: z.object({ q: searchText().max(100).optional() }),
  answer: ok.extend({ sales_people: z.array(salesPerson) }),
})
