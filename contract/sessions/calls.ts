import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { identifier } from '../validators/identifier.ts'
import { emailInput, normalizeEmail } from '../validators/reach.ts'
import { ambiguousFactor, factorFields, namesOneFactor, secondFactorAsked } from './factors.ts'
import { confirmationMismatch, isConfirmed, newPasswordFields } from './passwords.ts'

const okAnswer = z.object({ status: z.literal('ok') })

export const signInInput = z.object({
  email: z
    .string({ error: texts.loginMissing })
    .overwrite(normalizeEmail)
    .min(1, texts.loginMissing)
    .max(limits.loginEmailCharsMax),
  /** The server refuses more than the workspace's own limit, with the same field. */
  password: z
    .string({ error: texts.loginMissing })
    .normalize('NFC')
    .min(1, texts.loginMissing)
    .max(limits.passwordCharsCeiling),
})

export const sessionUser = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  type: z.string(),
})

/** The token is a bearer token; the web keeps it in session storage. */
export const signedIn = okAnswer.extend({
  user: sessionUser,
  token: z.string(),
  /** Present if the workspace requires a second factor and none is set up: the session can only set one up. */
  must_enrol: z.literal(true).optional(),
})

/** A user with a second factor receives a challenge instead of a session. */
export const signInAnswer = z.discriminatedUnion('status', [signedIn, secondFactorAsked])

export const signIn = defineCall({
  method: 'POST',
  path: '/members/login',
  access: 'anyone',
  isHarmlessTwice: true,
  input: signInInput,
  answer: signInAnswer,
})

/** The second step of a sign-in with a second factor. */
export const signInWithFactor = defineCall({
  method: 'POST',
  path: '/members/login/second-factor',
  access: 'anyone',
  input: z.object({ challenge: z.string().min(1).max(200), ...factorFields }).refine(namesOneFactor, ambiguousFactor),
  answer: signedIn,
})

export const signOut = defineCall({
  method: 'POST',
  path: '/users/logout',
  access: 'member',
  input: z.object({}),
  answer: okAnswer,
})

export const readPermissions = defineCall({
  method: 'GET',
  path: '/user/permissions',
  access: 'member',
  input: z.object({}),
  answer: okAnswer.extend({ permissions: z.array(z.string()), code: z.number() }),
})

export const tokenKeys = ['transaction_deposit', 'transaction_withdrawal', 'account_opening', 'form_submit'] as const

/** The token is sent as nonce_token with the create call: repeats with the same token and body create one transaction. */
export const getUniqueToken = defineCall({
  method: 'POST',
  path: '/members/get-unique-token',
  access: 'member',
  isHarmlessTwice: true,
  input: z.object({ token_key: z.enum(tokenKeys) }),
  answer: okAnswer.extend({ token: z.string() }),
})

/** Reports mouse or keyboard activity, which alone extends an idle session. Sent at most once a second. */
export const reportActivity = defineCall({
  method: 'POST',
  path: '/members/activity',
  access: 'member',
  input: z.object({ mouse: z.boolean().optional() }),
  answer: okAnswer,
})

/** Known and unknown addresses get the same answer, and a job sends the mail, so the two are indistinguishable. */
export const requestPasswordReset = defineCall({
  method: 'POST',
  path: '/members/reset-password/request',
  access: 'anyone',
  input: z.object({
    email: emailInput(),
  }),
  answer: okAnswer.extend({ msg: z.array(z.string()) }),
})

/** The code is sent in the body, since URLs appear in histories and logs. */
export const resetCode = identifier({ error: texts.resetLinkInvalid })
  .min(1, texts.resetLinkInvalid)
  .max(200, texts.resetLinkInvalid)

/** The user is only an id, since the code proves nothing more. */
export const checkResetCode = defineCall({
  method: 'POST',
  path: '/members/reset-password/check-code',
  access: 'anyone',
  input: z.object({ code: resetCode }),
  answer: okAnswer.extend({
    user: z.object({ _id: z.uuid() }),
    /** An invitation sets the first password. */
    purpose: z.enum(['reset', 'invitation']).default('reset'),
  }),
})

/** `process_reset` and user fields are accepted; only the code identifies the user. */
export const processPasswordReset = defineCall({
  method: 'POST',
  path: '/members/reset-password/process',
  access: 'anyone',
  input: z.object({ code: resetCode, ...newPasswordFields }).refine(isConfirmed, confirmationMismatch),
  answer: okAnswer.extend({ msg: z.array(z.string()) }),
})

export const changePassword = defineCall({
  method: 'POST',
  path: '/members/change-password',
  access: 'member',
  input: z
    .object({
      /** Validated and ignored: the session identifies the user. */
      _id: z.string().max(100).optional(),
      model: z.string().max(100).optional(),
      /** Optional for some minutes after a sign-in (`limits.freshSignInMinutes`). */
      current_password: z
        .string()
        .normalize('NFC')
        .max(limits.passwordCharsCeiling, texts.currentPasswordWrong)
        .optional(),
      ...newPasswordFields,
    })
    .refine(isConfirmed, confirmationMismatch),
  answer: okAnswer.extend({ msg: z.array(z.string()) }),
})

/** The same at its other path. */
export const changeUserPassword = defineCall({ ...changePassword, path: '/users/change-password' })

export const ownSession = z.object({
  _id: z.uuid(),
  /** For display: `Chrome on Windows`. */
  device: z.string(),
  address: z.string().nullable(),
  created_at: z.int(),
  last_seen_at: z.int(),
  /** The caller's own session. */
  current: z.boolean(),
})

export const listOwnSessions = defineCall({
  method: 'GET',
  path: '/members/sessions',
  access: 'member',
  input: z.object({}),
  answer: okAnswer.extend({ sessions: z.array(ownSession) }),
})

export const endOwnSession = defineCall({
  method: 'POST',
  path: '/members/sessions/end',
  access: 'member',
  input: z.object({ _id: z.uuid() }),
  answer: okAnswer.extend({ msg: z.array(z.string()) }),
})

export const endOtherSessions = defineCall({
  method: 'POST',
  path: '/members/sessions/end-others',
  access: 'member',
  input: z.object({}),
  answer: okAnswer.extend({ msg: z.array(z.string()), ended: z.int() }),
})
