import { call } from '../../api/transport.ts'

/** Loaded on demand: the calls include the schema library, which the first paint of the sign-in screen does not need. */
const staff = () => import('@atrium/contract/staff/desk-calls.ts')

export type NewPassword = { password: string; password_confirmation: string }

export async function requestStaffLink(email: string) {
  return call((await staff()).requestStaffReset, { email })
}

export async function checkStaffLink(code: string) {
  return call((await staff()).checkStaffCode, { code })
}

export async function setStaffPassword(input: NewPassword & { code: string }) {
  return call((await staff()).processStaffReset, input)
}

export async function changeStaffPassword(input: NewPassword & { current_password: string }) {
  return call((await staff()).changeStaffPassword, input)
}
