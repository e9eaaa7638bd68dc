import type { Features, Scope } from '@atrium/contract/access/scopes.ts'
import { isFeatureOn, isForType, isPermitted } from '@atrium/contract/access/scopes.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { loadSession, type Session } from './load-session.ts'
import { portalSession } from './portal-session.ts'

export type { Session }

const permissionsAgainMs = 3_000
/** Staff changes to permissions reach menus and screens within this time; the server enforces them immediately. */
const choicesFreshMs = 60_000

/** The signed-in member and their permissions. The gate loads it before any screen behind it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => loadSession(portalSession.read()?.userId),
  staleTime: choicesFreshMs,
  retry: false,
  // Permissions that could not be loaded are requested again.
  refetchInterval: ({ state }) => (state.data?.permissions === null ? permissionsAgainMs : choicesFreshMs),
})

const SessionContext = createContext<Session | null>(null)

/** Hands the session that the frame follows to everything inside it. */
export const SessionProvider = SessionContext.Provider

/** For the frame only: follows the session with timers of its own. */
export function useFollowedSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('There is no session outside the frame.')
  return session
}

/** Until permissions are loaded, none is denied here: the server decides, and the gates check again later. */
export function isPermittedIn({ permissions, member }: Pick<Session, 'permissions' | 'member'>, scope: Scope): boolean {
  return isForType(scope, member.type) && (permissions === null || isPermitted(scope, permissions))
}

export function isOpen(session: Session, scope: Scope): boolean {
  return isFeatureOn(scope, session.settings.features as Features) && isPermittedIn(session, scope)
}

export function useIsOpen(): (scope: Scope) => boolean {
  const session = useSession()
  return (scope) => isOpen(session, scope)
}
