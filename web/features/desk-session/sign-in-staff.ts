import { call } from '../../api/transport.ts'
import { deskSession } from './desk-session.ts'

export async function signInStaff(credentials: { email: string; password: string }): Promise<void> {
  // Loaded now and not with the page: it carries the schema library, which the first paint can do without.
  const { deskSignIn } = await import('@atrium/contract/desk.ts')
  const answer = await call(deskSignIn, credentials)
  if (answer.status !== 'ok') throw new Error(answer.status)
  const { user, token } = answer
  deskSession.write({ token, userId: user._id })
}
