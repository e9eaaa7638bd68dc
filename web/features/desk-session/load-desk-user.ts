import { texts } from '@atrium/contract/texts.ts'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import type { DeskUser } from './desk-user.ts'
import { readDeskUser } from './read-desk-user.ts'

/** The signed-in staff member. */
export async function loadDeskUser(userId: string | undefined): Promise<DeskUser> {
  const { user } = await call(readDeskUser, {})
  // Never shows another user's answer in this session.
  if (user._id !== userId) throw new ApiError({ code: 'unauthenticated', message: texts.requestFailed, status: 401 })
  return user
}
