import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createSessionStore } from '../../api/session-store.ts'
import type { DeskUser } from './desk-user.ts'

/** Separate from the members' session, so that both can be open in one browser. */
export const deskSession = createSessionStore('desk')

/** Loaded dynamically, because the sign-in screen does not need the schema library. */
const loader = () => import('./load-desk-user.ts')

/** Loads the code that reads the user's answer while the answer is on its way; the query itself reports a failed load. */
export function prepareDeskUser(): void {
  loader().catch(() => undefined)
}

/** The cache time of the signed-in user. */
const deskUserFreshMs = 300_000

export const deskUserQuery = queryOptions({
  queryKey: ['desk-user'],
  queryFn: async () => (await loader()).loadDeskUser(deskSession.read()?.userId),
  staleTime: deskUserFreshMs,
})

export function useDeskUser(): DeskUser {
  return useSuspenseQuery(deskUserQuery).data
}

/** Tests a right of the signed-in role; the desk hides actions that the server would refuse. */
export function useHolds(): (right: DeskRight) => boolean {
  const { type } = useDeskUser()
  return (right) => holdsRight(type, right)
}
