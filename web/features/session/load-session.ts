import { texts } from '@atrium/contract/texts.ts'
import { ApiError } from '../../api/api-error.ts'
import { readPermissions } from '../../api/first-calls.ts'
import { call, graph, noteFailure } from '../../api/transport.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import { setReader } from '../../ui/text/format.ts'
import { currentMemberQuery } from './session.queries.ts'
import { settingsQuery } from './settings-query.ts'

/** Ends the session here, also when it was only refetched in the background. */
function endSession(): never {
  const over = new ApiError({ code: 'unauthenticated', message: texts.requestFailed, status: 401 })
  noteFailure(over)
  throw over
}

/** A workspace that no longer knows this person answers 403 or 404: the session is over. */
function endIfUnknown(error: unknown): void {
  if (
    error instanceof ApiError &&
    error.code !== 'second_factor_required' &&
    (error.status === 403 || error.status === 404)
  )
    endSession()
}

/** Null when they cannot be loaded: a server error signs nobody out. */
async function loadPermissions(): Promise<string[] | null> {
  try {
    return (await call(readPermissions, {})).permissions
  } catch (error) {
    endIfUnknown(error)
    if (error instanceof ApiError && error.code === 'unauthenticated') throw error
    return null
  }
}

/** One request serves the session and the brand around it. */
const settingsFreshMs = 10_000

async function loadSettings() {
  try {
    return await queryClient.fetchQuery({ ...settingsQuery, staleTime: settingsFreshMs, retry: false })
  } catch (error) {
    endIfUnknown(error)
    throw error
  }
}

/** The signed-in member and their permissions. `userId` is the id that signed in on this page. */
export async function loadSession(userId: string | undefined) {
  const [permissions, settings, answer] = await Promise.all([
    loadPermissions(),
    loadSettings(),
    graph(currentMemberQuery, {}),
  ])
  const member = answer.data.current_member
  // The answer for another person behind this token must never be shown.
  if (!member || member._id !== userId) endSession()
  setReader({ language: member.language, timeZone: member.time_zone })
  const { vendors, departments } = settings
  return { member, permissions, settings, vendors, departments }
}

export type Session = Awaited<ReturnType<typeof loadSession>>
