import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createSessionStore } from '../../api/session-store.ts'
import type { DeskUser } from './desk-user.ts'
import { loadDeskUser } from './load-desk-user.ts'

/** Separate from the members' session, so that both can be open in one browser. */
export const deskSession = createSessionStore('desk')

/** After this the menu and the buttons follow a changed role. */
const deskUserFreshMs = 60_000

export const deskUserQuery = queryOptions({
  queryKey: ['desk-user'],
  queryFn: () => loadDeskUser(deskSession.read()?.userId),
  staleTime: deskUserFreshMs,
  refetchInterval: deskUserFreshMs,
})

export function useDeskUser(): DeskUser {
  return useSuspenseQuery(deskUserQuery).data
}

/** Tests a right of the signed-in role; the desk hides actions that the server would refuse. */
export function useHolds(): (right: DeskRight) => boolean {
  const { type } = useDeskUser()
  return (right) => holdsRight(type, right)
}
