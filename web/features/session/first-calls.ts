import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readSettings } from '@atrium/contract/workspaces/calls.ts'
import { fetchAnswer } from '../../api/transport.ts'

/**
 * What the sign-in screen asks for before anybody did anything. Its first load stays small by leaving the schema library
 * to the screens that have forms, so this one answer is typed by the contract without being parsed by it.
 */
export const settingsCall = { method: 'GET', path: '/members/crm-settings' } as const

export const permissionsPath = '/user/permissions'
export const deskUserPath = '/desk/api/me'

export async function fetchSettings(): Promise<CallAnswer<typeof readSettings>['settings']> {
  const answer = (await fetchAnswer(settingsCall)) as CallAnswer<typeof readSettings>
  return answer.settings
}
