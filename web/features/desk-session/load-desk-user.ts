import { readDeskUser } from '@atrium/contract/staff/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import type { DeskUser } from './desk-user.ts'

/** Who is signed in. */
export async function loadDeskUser(userId: string | undefined): Promise<DeskUser> {
  const { user } = await call(readDeskUser, {})
  // Another person's answer behind this token must never be shown as this one's.
  if (user._id !== userId) throw new ApiError({ code: 'unauthenticated', message: texts.requestFailed, status: 401 })
  return user
}
