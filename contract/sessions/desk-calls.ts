/** Signing in and out at the desk; these paths, too, are under /desk/api, so that one proxy rule can restrict the desk to a network. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { sessionUser, signInAnswer, signInInput, signInWithFactor } from './calls.ts'

const ok = z.object({ status: z.literal('ok') })

export const deskSignIn = defineCall({
  method: 'POST',
  path: '/desk/api/login',
  access: 'anyone',
  isHarmlessTwice: true,
  input: signInInput,
  answer: signInAnswer,
})

export const deskSignInWithFactor = defineCall({ ...signInWithFactor, path: '/desk/api/login/second-factor' })

export const deskSignOut = defineCall({
  method: 'POST',
  path: '/desk/api/logout',
  access: 'staff',
  right: 'desk.use',
  input: z.object({}),
  answer: ok,
})

export const readDeskUser = defineCall({
  method: 'GET',
  path: '/desk/api/me',
  access: 'staff',
  right: 'desk.use',
  input: z.object({}),
  answer: ok.extend({ user: sessionUser.extend({ picture: z.string().nullable() }) }),
})

/** Like the portal's: reports activity, which alone extends an idle session. */
export const deskActivity = defineCall({
  method: 'POST',
  path: '/desk/api/activity',
  access: 'staff',
  right: 'desk.use',
  input: z.object({ mouse: z.boolean().optional() }),
  answer: ok,
})
