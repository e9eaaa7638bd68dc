import { call } from '../../api/transport.ts'
import { portalSession } from './session.ts'
import type { Credentials } from './sign-in-form.tsx'

export async function signInMember(credentials: Credentials): Promise<void> {
  // Loaded now and not with the page: it carries the schema library, which the first paint can do without.
  const { signIn } = await import('@atrium/contract/sessions.ts')
  const answer = await call(signIn, credentials)
  if (answer.status !== 'ok') throw new Error(answer.status)
  const { user, token } = answer
  portalSession.write({ token, userId: user._id })
}
