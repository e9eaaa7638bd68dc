import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import type { deskSignIn, deskSignInWithFactor } from '@atrium/contract/sessions/desk-calls.ts'
import { untilSignedOut } from '../../api/sign-out.ts'
import { call } from '../../api/transport.ts'
import { deskSession } from './desk-session.ts'

type Asked = Extract<CallAnswer<typeof deskSignIn>, { status: 'second_factor_required' }>['second_factor']
export type StaffSignedIn = { asked?: Asked; mustEnrol?: boolean }

export async function signInStaff(credentials: { email: string; password: string }): Promise<StaffSignedIn> {
  // Loaded on demand: it includes the schema library, which the first paint does not need.
  const { deskSignIn } = await import('@atrium/contract/sessions/desk-calls.ts')
  await untilSignedOut()
  const answer = await call(deskSignIn, credentials)
  if (answer.status !== 'ok') return { asked: answer.second_factor }
  const { user, token } = answer
  deskSession.write({ token, userId: user._id })
  return { mustEnrol: answer.must_enrol === true }
}

export async function finishStaffSignIn(given: CallInput<typeof deskSignInWithFactor>): Promise<void> {
  const { deskSignInWithFactor } = await import('@atrium/contract/sessions/desk-calls.ts')
  const { user, token } = await call(deskSignInWithFactor, given)
  deskSession.write({ token, userId: user._id })
}
