import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import type { signIn, signInWithFactor } from '@atrium/contract/sessions/calls.ts'
import { call } from '../../api/transport.ts'
import { portalSession } from './portal-session.ts'
import type { Credentials } from './sign-in-form.tsx'

type Asked = Extract<CallAnswer<typeof signIn>, { status: 'second_factor_required' }>['second_factor']
/** Signed in, signed in but required to set up a second factor, or asked for the existing one. */
export type SignedIn = { asked?: Asked; mustEnrol?: boolean }

export async function signInMember(credentials: Credentials): Promise<SignedIn> {
  // Loaded on demand: the first paint needs neither the schema library nor the code for leaving.
  const { signIn } = await import('@atrium/contract/sessions/calls.ts')
  const { untilSignedOut } = await import('../../api/sign-out.ts')
  await untilSignedOut()
  const answer = await call(signIn, credentials)
  if (answer.status !== 'ok') return { asked: answer.second_factor }
  const { user, token } = answer
  portalSession.write({ token, userId: user._id })
  return { mustEnrol: answer.must_enrol === true }
}

/** The second step, for a member with a second factor. */
export async function finishSignIn(given: CallInput<typeof signInWithFactor>): Promise<void> {
  const { signInWithFactor } = await import('@atrium/contract/sessions/calls.ts')
  const { user, token } = await call(signInWithFactor, given)
  portalSession.write({ token, userId: user._id })
}
