/**
 * Second factors and proofs of presence, for members and staff; a change of a factor without a recent proof answers
 * `proof_required`. All calls except the reset by staff are open to a session that can only enrol.
 */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { deskReason } from '../staff/reason.ts'
import {
  ambiguousFactor,
  factorFields,
  factorMethods,
  namesOneFactor,
  passkeyAttestation,
  passkeyCreation,
  passkeyName,
  passkeyRequest,
  totpCode,
} from './factors.ts'

const ok = z.object({ status: z.literal('ok') })
const said = ok.extend({ msg: z.array(z.string()) })
const nothing = z.object({})

const passkey = z.object({
  _id: z.uuid(),
  name: z.string(),
  created_at: z.int(),
  last_used_at: z.int().nullable(),
})

const security = z.object({
  /** The workspace requires a second factor. */
  is_required: z.boolean(),
  /** Required, and until one is set up this session can do nothing else. */
  must_enrol: z.boolean(),
  totp: z.object({ created_at: z.int() }).nullable(),
  passkeys: z.array(passkey),
  recovery_codes_left: z.int(),
  /** The accepted proofs: a factor if one is set up, otherwise the password. */
  proof_methods: z.array(z.enum([...factorMethods, 'password'])),
  /** Expiry of the last proof; null if it has expired. */
  proven_until: z.int().nullable(),
  /** End of the withdrawal hold after a password reset or a removed factor. Always null for staff. */
  withdrawals_held_until: z.int().nullable(),
})

const recoveryCodes = z.array(z.string())

const proofInput = z
  .object({ password: z.string().min(1).max(limits.passwordCharsCeiling).optional(), ...factorFields })
  .refine(namesOneFactor, ambiguousFactor)

const add = { method: 'POST', access: 'member' } as const

export const readSecurity = defineCall({
  method: 'GET',
  path: '/members/security',
  access: 'member',
  input: nothing,
  answer: ok.extend({ security }),
})

/** The browser's options for a proof by passkey. */
export const startProof = defineCall({
  ...add,
  path: '/members/security/prove/start',
  input: nothing,
  answer: ok.extend({ passkey: passkeyRequest }),
})

export const prove = defineCall({
  ...add,
  path: '/members/security/prove',
  input: proofInput,
  answer: ok.extend({ proven_until: z.int() }),
})

/** The secret is shown once, as text and QR code; it becomes active when a code is confirmed. */
export const startTotp = defineCall({
  ...add,
  path: '/members/security/totp/start',
  input: nothing,
  answer: ok.extend({ secret: z.string(), uri: z.string() }),
})

/** The first factor comes with recovery codes, shown once; null if there are some already. */
export const confirmTotp = defineCall({
  ...add,
  path: '/members/security/totp/confirm',
  input: z.object({ code: totpCode }),
  answer: said.extend({ recovery_codes: recoveryCodes.nullable() }),
})

export const removeTotp = defineCall({ ...add, path: '/members/security/totp/remove', input: nothing, answer: said })

export const startPasskey = defineCall({
  ...add,
  path: '/members/security/passkeys/start',
  input: nothing,
  answer: ok.extend({ passkey: passkeyCreation }),
})

export const addPasskey = defineCall({
  ...add,
  path: '/members/security/passkeys/add',
  input: z.object({ name: passkeyName, passkey: passkeyAttestation }),
  answer: said.extend({ recovery_codes: recoveryCodes.nullable() }),
})

export const renamePasskey = defineCall({
  ...add,
  path: '/members/security/passkeys/rename',
  input: z.object({ _id: z.uuid(), name: passkeyName }),
  answer: ok,
})

export const removePasskey = defineCall({
  ...add,
  path: '/members/security/passkeys/remove',
  input: z.object({ _id: z.uuid() }),
  answer: said,
})

export const renewRecoveryCodes = defineCall({
  ...add,
  path: '/members/security/recovery-codes/renew',
  input: nothing,
  answer: said.extend({ recovery_codes: recoveryCodes }),
})

/** The same for staff, about themselves. */
const staff = { access: 'staff', right: 'desk.use' } as const
export const readDeskSecurity = defineCall({ ...readSecurity, ...staff, path: '/desk/api/security' })
export const startDeskProof = defineCall({ ...startProof, ...staff, path: '/desk/api/security/prove/start' })
export const proveDesk = defineCall({ ...prove, ...staff, path: '/desk/api/security/prove' })
export const startDeskTotp = defineCall({ ...startTotp, ...staff, path: '/desk/api/security/totp/start' })
export const confirmDeskTotp = defineCall({ ...confirmTotp, ...staff, path: '/desk/api/security/totp/confirm' })
export const removeDeskTotp = defineCall({ ...removeTotp, ...staff, path: '/desk/api/security/totp/remove' })
export const startDeskPasskey = defineCall({ ...startPasskey, ...staff, path: '/desk/api/security/passkeys/start' })
export const addDeskPasskey = defineCall({ ...addPasskey, ...staff, path: '/desk/api/security/passkeys/add' })
export const renameDeskPasskey = defineCall({ ...renamePasskey, ...staff, path: '/desk/api/security/passkeys/rename' })
export const removeDeskPasskey = defineCall({ ...removePasskey, ...staff, path: '/desk/api/security/passkeys/remove' })
export const renewDeskRecoveryCodes = defineCall({
  ...renewRecoveryCodes,
  ...staff,
  path: '/desk/api/security/recovery-codes/renew',
})

const resetInput = z.object({
  id: z.uuid(),
  reason: deskReason,
})

/** For a member who lost phone and codes: the next sign-in needs only the password, and withdrawals are held. */
export const resetMemberFactors = defineCall({
  method: 'POST',
  path: '/desk/api/members/:id/reset-second-factor',
  access: 'staff',
  right: 'members.lock',
  input: resetInput,
  answer: said,
})

/** Resets a colleague's factors; staff cannot reset their own. */
export const resetStaffFactors = defineCall({
  method: 'POST',
  path: '/desk/api/staff/:id/reset-second-factor',
  access: 'staff',
  right: 'staff.manage',
  input: resetInput,
  answer: said,
})
