import type { Scope } from '@atrium/contract/scopes.ts'
import { isFeatureOn, isPermitted } from '@atrium/contract/scopes.ts'
import { type AnyRouter, notFound, redirect } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { portalSession, type Session, sessionQuery } from '../features/session/session.ts'
import { notice } from '../ui/notice.ts'
import { queryClient } from '../ui/root.tsx'

/** Lets a signed-in member through with the session loaded; everybody else goes to sign in and comes back after. */
export async function requireSession({ location }: { location: { href: string } }): Promise<{ session: Session }> {
  if (!portalSession.read()) {
    portalSession.rememberTarget(location.href)
    throw redirect({ to: '/login' })
  }
  try {
    return { session: await queryClient.ensureQueryData(sessionQuery) }
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
    portalSession.clear()
    portalSession.rememberTarget(location.href)
    throw redirect({ to: '/login' })
  }
}

/** A screen whose feature is off does not exist; one whose permission is denied is refused. */
export function requireScope(scope: Scope) {
  return ({ context }: { context: { session: Session } }) => {
    const { settings, permissions } = context.session
    if (!isFeatureOn(scope, settings.features)) throw notFound()
    if (!isPermitted(scope, permissions)) throw redirect({ to: '/unauthorized' })
  }
}

/** Nothing of one person stays in memory for the next. */
export function leave(router: AnyRouter, { isRemembering }: { isRemembering: boolean }): void {
  portalSession.clear()
  notice.clear()
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
  if (isRemembering && router.state.location.pathname !== '/login')
    portalSession.rememberTarget(router.state.location.href)
  router.navigate({ to: '/login', ignoreBlocker: true })
}
