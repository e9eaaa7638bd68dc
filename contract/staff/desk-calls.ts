/** The brokerage's staff users, and each user's own settings. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { logoContent } from '../files/logo-content.ts'
import { limits } from '../limits.ts'
import { ownSession, requestPasswordReset, resetCode } from '../sessions/calls.ts'
import { confirmationMismatch, isConfirmed, newPasswordFields } from '../sessions/passwords.ts'
import { texts } from '../texts.ts'
import { personName } from '../validators/person-name.ts'
import { emailInput } from '../validators/reach.ts'
import { staffRoles } from './rights.ts'
import { deskTexts } from './texts.ts'

const ok = z.object({ status: z.literal('ok') })
const said = ok.extend({ msg: z.array(z.string()) })

export const staffStates = ['active', 'locked', 'invited'] as const

export const deskStaff = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  state: z.enum(staffStates),
  created_at: z.int(),
  /** The latest activity; null for a user who never signed in. */
  last_seen_at: z.int().nullable(),
  sessions: z.int(),
  /** Expiry of an open invitation; null without one. */
  invited_until: z.int().nullable(),
  /** The caller: staff cannot change their own role or lock themselves out. */
  self: z.boolean(),
})

const name = personName(limits.staffNameCharsMax, deskTexts.nameTooLong)
// No longer than the sign-in form accepts, so that the user can sign in.
const email = emailInput(limits.loginEmailCharsMax).toLowerCase()
const role = z.enum(staffRoles, { error: deskTexts.roleUnknown })
const oneOfStaff = z.object({ id: z.uuid() })

/** Actions on a staff user answer with the updated user. */
const aboutOne = {
  method: 'POST',
  access: 'staff',
  right: 'staff.manage',
  input: oneOfStaff,
  answer: ok.extend({ staff: deskStaff }),
} as const

export const listStaff = defineCall({
  method: 'GET',
  path: '/desk/api/staff',
  access: 'staff',
  right: 'staff.manage',
  input: z.object({}),
  answer: ok.extend({ staff: z.array(deskStaff) }),
})

export const inviteStaff = defineCall({
  method: 'POST',
  path: '/desk/api/staff/invite',
  access: 'staff',
  right: 'staff.manage',
  input: z.object({ name, email, role }),
  answer: ok.extend({ staff: deskStaff }),
})

/** The new link replaces the old one. */
export const resendInvitation = defineCall({ ...aboutOne, path: '/desk/api/staff/:id/resend-invitation' })

export const changeStaffRole = defineCall({
  ...aboutOne,
  path: '/desk/api/staff/:id/role',
  /** `seen`: the role that was shown. A concurrent change is not overwritten; the previous version omits it. */
  input: oneOfStaff.extend({ role, seen: z.string().max(50).optional() }),
})

/** Ends all sessions immediately and invalidates an unused invitation. */
export const lockStaff = defineCall({ ...aboutOne, path: '/desk/api/staff/:id/lock' })

export const unlockStaff = defineCall({ ...aboutOne, path: '/desk/api/staff/:id/unlock' })

export const endStaffSessions = defineCall({ ...aboutOne, path: '/desk/api/staff/:id/end-sessions' })

export const changeOwnName = defineCall({
  method: 'POST',
  path: '/desk/api/account/name',
  access: 'staff',
  right: 'desk.use',
  input: z.object({ name }),
  answer: said,
})

/** The picture that members see beside an answer: a PNG or JPEG, as base64; null removes it. */
export const setOwnPicture = defineCall({
  method: 'POST',
  path: '/desk/api/account/picture',
  access: 'staff',
  right: 'desk.use',
  input: z.object({ picture: logoContent.nullable() }),
  answer: said,
})

export const changeStaffPassword = defineCall({
  method: 'POST',
  path: '/desk/api/account/password',
  access: 'staff',
  right: 'desk.use',
  input: z
    .object({
      /** Always required, since an unattended desk gives more access than an unattended portal. */
      current_password: z
        .string({ error: texts.currentPasswordMissing })
        .min(1, texts.currentPasswordMissing)
        .max(limits.passwordCharsCeiling, texts.currentPasswordWrong),
      ...newPasswordFields,
    })
    .refine(isConfirmed, confirmationMismatch),
  answer: said,
})

export const listStaffSessions = defineCall({
  method: 'GET',
  path: '/desk/api/account/sessions',
  access: 'staff',
  right: 'desk.use',
  input: z.object({}),
  answer: ok.extend({ sessions: z.array(ownSession) }),
})

export const endStaffSession = defineCall({
  method: 'POST',
  path: '/desk/api/account/sessions/end',
  access: 'staff',
  right: 'desk.use',
  input: z.object({ _id: z.uuid() }),
  answer: said,
})

export const endOtherStaffSessions = defineCall({
  method: 'POST',
  path: '/desk/api/account/sessions/end-others',
  access: 'staff',
  right: 'desk.use',
  input: z.object({}),
  answer: said.extend({ ended: z.int() }),
})

/** Like the members' call, it does not reveal whether an address is known. */
export const requestStaffReset = defineCall({ ...requestPasswordReset, path: '/desk/api/reset-password/request' })

export const checkStaffCode = defineCall({
  method: 'POST',
  path: '/desk/api/reset-password/check-code',
  access: 'anyone',
  input: z.object({ code: resetCode }),
  answer: ok.extend({ purpose: z.enum(['reset', 'invitation']) }),
})

export const processStaffReset = defineCall({
  method: 'POST',
  path: '/desk/api/reset-password/process',
  access: 'anyone',
  input: z.object({ code: resetCode, ...newPasswordFields }).refine(isConfirmed, confirmationMismatch),
  answer: said,
})
