import { z } from 'zod'
import { defineCall } from '../call.ts'
import { logoContent } from '../files/logo-content.ts'
import { limits } from '../limits.ts'
import { ownSession, requestPasswordReset, resetCode } from '../sessions/calls.ts'
import { isConfirmed, newPasswordFields, unlikeConfirmation } from '../sessions/passwords.ts'
import { texts } from '../texts.ts'
import { emailInput } from '../validators/reach.ts'
import { staffRoles } from './rights.ts'
import { deskTexts } from './texts.ts'

/** The brokerage's own people: who they are at the desk, and what each keeps of their own. */
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
  /** The latest sign of life; null for somebody who never signed in. */
  last_seen_at: z.int().nullable(),
  sessions: z.int(),
  /** Until when an open invitation works; null when there is none. */
  invited_until: z.int().nullable(),
  /** The one that asks: nobody changes their own role or locks themselves out. */
  self: z.boolean(),
})

const name = z
  .string({ error: texts.nameMissing })
  .trim()
  .min(1, texts.nameMissing)
  .max(limits.staffNameCharsMax, deskTexts.nameTooLong)
  .refine((text) => !/\p{Cc}/u.test(text), texts.nameUnreadable)
// No longer than the sign-in form takes: an address that cannot sign in is none.
const email = emailInput(limits.loginEmailCharsMax).toLowerCase()
const role = z.enum(staffRoles, { error: deskTexts.roleUnknown })
const oneOfStaff = z.object({ id: z.uuid() })

/** What is done to one of them answers them as they are afterwards. */
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

/** The newer link takes the place of the older one. */
export const resendInvitation = defineCall({ ...aboutOne, path: '/desk/api/staff/:id/resend-invitation' })

export const changeStaffRole = defineCall({
  ...aboutOne,
  path: '/desk/api/staff/:id/role',
  input: oneOfStaff.extend({ role }),
})

/** Ends every session at once. An invitation that was not used yet is void. */
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

/** What members see beside an answer: a PNG or JPEG, as base64; null takes it off. */
export const wearOwnPicture = defineCall({
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
      /** Always asked for: a desk left open is worth more than a portal left open. */
      current_password: z
        .string({ error: texts.currentPasswordMissing })
        .min(1, texts.currentPasswordMissing)
        .max(limits.passwordCharsCeiling, texts.currentPasswordWrong),
      ...newPasswordFields,
    })
    .refine(isConfirmed, unlikeConfirmation),
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

/** As the members' own, and as silent about who is known here. */
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
  input: z.object({ code: resetCode, ...newPasswordFields }).refine(isConfirmed, unlikeConfirmation),
  answer: said,
})
