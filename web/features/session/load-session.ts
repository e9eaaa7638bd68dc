import { readPermissions } from '@atrium/contract/sessions.ts'
import { texts } from '@atrium/contract/texts.ts'
import { readSettings } from '@atrium/contract/workspace.ts'
import { ApiError } from '../../api/api-error.ts'
import { call, graph } from '../../api/transport.ts'
import { currentMemberQuery } from './session.queries.ts'

const signedOut = () => new ApiError({ code: 'unauthenticated', message: texts.requestFailed, status: 401 })

/** A workspace that does not know this person any more answers 403 or 404: the session is over. */
function asSignedOut(error: unknown): never {
  if (error instanceof ApiError && (error.status === 403 || error.status === 404)) throw signedOut()
  throw error
}

/** Whose session this is, and what is open to them. `userId` is who signed in here. */
export async function loadSession(userId: string | undefined) {
  const [permissions, settings, answer] = await Promise.all([
    call(readPermissions, {}).catch(asSignedOut),
    call(readSettings, {}).catch(asSignedOut),
    graph(currentMemberQuery, {}),
  ])
  const member = answer.data.current_member
  // Another person's answer behind this token must never be shown as this one's.
  if (!member || member._id !== userId) throw signedOut()
  return { member, permissions: permissions.permissions, settings: settings.settings }
}

export type Session = Awaited<ReturnType<typeof loadSession>>
