import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createSessionStore } from '../../api/session-store.ts'
import type { DeskUser } from './desk-user.ts'

/** Apart from the members' session, so that a person may try both in one browser. */
export const deskSession = createSessionStore('desk')

/** How long an answer about the signed-in person stands. */
const deskUserFreshMs = 300_000

export const deskUserQuery = queryOptions({
  queryKey: ['desk-user'],
  queryFn: async () => {
    // The sign-in screen can do without the schema library that the calls are read with.
    const { loadDeskUser } = await import('./load-desk-user.ts')
    return loadDeskUser(deskSession.read()?.userId)
  },
  staleTime: deskUserFreshMs,
})

export function useDeskUser(): DeskUser {
  return useSuspenseQuery(deskUserQuery).data
}

/** Asks what the role of the signed-in person allows: what the server would refuse anyway is not offered. */
export function useHolds(): (right: DeskRight) => boolean {
  const { type } = useDeskUser()
  return (right) => holdsRight(type, right)
}
