import { z } from 'zod'
import { defineCall } from './call.ts'
import { limits } from './limits.ts'
import { texts } from './texts.ts'

const okAnswer = z.object({ status: z.literal('ok') })

export const signInInput = z.object({
  email: z.string({ error: texts.loginMissing }).trim().min(1, texts.loginMissing).max(limits.loginEmailCharsMax),
  password: z.string({ error: texts.loginMissing }).min(1, texts.loginMissing).max(limits.loginPasswordCharsMax),
})

export const sessionUser = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  type: z.string(),
})

/** The token is a bearer token; the web keeps it in session storage. */
export const signIn = defineCall({
  method: 'POST',
  path: '/members/login',
  access: 'anyone',
  scope: 'all',
  input: signInInput,
  answer: okAnswer.extend({ user: sessionUser, token: z.string() }),
})

export const signOut = defineCall({
  method: 'POST',
  path: '/users/logout',
  access: 'member',
  scope: 'all',
  input: z.object({}),
  answer: okAnswer,
})

export const readPermissions = defineCall({
  method: 'GET',
  path: '/user/permissions',
  access: 'member',
  scope: 'all',
  input: z.object({}),
  answer: okAnswer.extend({ permissions: z.array(z.string()), code: z.number() }),
})

export const tokenKeys = ['transaction_deposit', 'transaction_withdrawal'] as const

/** The token goes back as nonce_token with the create call: the same token and body is one transaction, however often sent. */
export const getUniqueToken = defineCall({
  method: 'POST',
  path: '/members/get-unique-token',
  access: 'member',
  scope: 'all',
  input: z.object({ token_key: z.enum(tokenKeys) }),
  answer: okAnswer.extend({ token: z.string() }),
})

/** A sign of life on mouse movement or a key; the only thing that keeps a session from idling out. Sent at most once a second. */
export const reportActivity = defineCall({
  method: 'POST',
  path: '/members/activity',
  access: 'member',
  scope: 'all',
  input: z.object({ mouse: z.boolean().optional() }),
  answer: okAnswer,
})
