import type { Features, Scope } from '@atrium/contract/access/scopes.ts'
import { isFeatureOn, isForType, isPermitted } from '@atrium/contract/access/scopes.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { readSettings } from '../../api/first-calls.ts'
import { call } from '../../api/transport.ts'
import { rememberBrand } from './brand-memory.ts'
import type { Session } from './load-session.ts'
import { portalSession } from './portal-session.ts'

export type { Session }

/** Brand and flags of the workspace; readable without a session. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async () => {
    const { settings } = await call(readSettings, {})
    rememberBrand(settings.brand)
    return settings
  },
  staleTime: 300_000,
})

const permissionsAgainMs = 3_000
/** Staff changes to permissions reach menus and screens within this time; the server enforces them immediately. */
const choicesFreshMs = 60_000

/** The signed-in member and their permissions. The gate loads it before any screen behind it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const { loadSession } = await import('./load-session.ts')
    return loadSession(portalSession.read()?.userId)
  },
  staleTime: choicesFreshMs,
  retry: false,
  // Permissions that could not be loaded are requested again.
  refetchInterval: ({ state }) => (state.data?.permissions === null ? permissionsAgainMs : choicesFreshMs),
})

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
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
