import { call } from '../../api/transport.ts'

/** Loaded on demand, since the calls include the schema library, which the first paint does not need. */
const sessions = () => import('@atrium/contract/sessions/calls.ts')

export type NewPassword = { password: string; password_confirmation: string }

export async function requestResetLink(email: string) {
  return call((await sessions()).requestPasswordReset, { email })
}

export async function checkResetLink(code: string) {
  return call((await sessions()).checkResetCode, { code })
}

export async function resetPassword(input: NewPassword & { code: string }) {
  return call((await sessions()).processPasswordReset, input)
}

export async function changeOwnPassword(input: NewPassword & { current_password: string }) {
  return call((await sessions()).changePassword, input)
}
