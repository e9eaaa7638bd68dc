import type { Scope } from '@atrium/contract/access/scopes.ts'
import { isFeatureOn, scopeOfScreen } from '@atrium/contract/access/scopes.ts'
import { type AnyRoute, type AnyRouter, notFound, redirect } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { leaveSession } from '../features/session/leave.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { isPermittedIn, type Session, sessionQuery } from '../features/session/session.ts'
import { loadTerms } from '../features/terms/terms-check.ts'
import { queryClient } from '../ui/lists/query-client.ts'

/** Takes over the session of other tabs; if that code fails to load or run, the user signs in. */
const takesOver = (): Promise<boolean> =>
  import('../features/session/tabs.ts')
    .then(({ takeSharedSession }) => takeSharedSession(portalSession))
    .catch(() => false)

/** Admits a signed-in member with the session loaded; anyone else signs in first and returns here. */
export async function requireSession({ location }: { location: { href: string } }): Promise<{ session: Session }> {
  if (!portalSession.read() && !(await takesOver())) {
    portalSession.rememberTarget(location.href)
    throw redirect({ to: '/login' })
  }
  try {
    const session = await queryClient.ensureQueryData(sessionQuery)
    await loadTerms(queryClient)
    return { session }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'second_factor_required') {
      portalSession.rememberTarget(location.href)
      throw redirect({ to: '/second-factor' })
    }
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
    portalSession.clear(error.message)
    portalSession.rememberTarget(location.href)
    throw redirect({ to: '/login' })
  }
}

/** A screen whose feature is off is not found; one whose permission is denied is refused. */
function requireScope(scope: Scope, session: Session): void {
  if (!isFeatureOn(scope, session.settings.features)) throw notFound()
  if (!isPermittedIn(session, scope)) throw redirect({ to: '/unauthorized' })
}

/** The scope of the current screen, by its route path. */
export const scopeOfRoute = (fullPath: string): Scope => scopeOfScreen(inTable(fullPath)) ?? 'all'

/** Converts the router's `{-$accountId}` and `$id` to the notation of the scope table. */
const inTable = (path: string): string => path.replace(/\{-\$(\w+)\}/g, ':$1?').replace(/\$(\w+)/g, ':$1')

/**
 * Adds the scope check to each screen behind the session. Menu, router and server share one scope table, and a screen
 * that is missing from it stops the start, as a call does on the server.
 */
export function gateScreens(router: AnyRouter, behind: AnyRoute): void {
  for (const route of Object.values<AnyRoute>(router.routesById)) {
    if (!leadsThrough(route, behind)) continue
    const scope = scopeOfScreen(inTable(route.fullPath))
    if (!scope) throw new Error(`${route.fullPath} is in no scope (contract/access/scopes.ts)`)
    const own = route.options.beforeLoad
    route.options.beforeLoad = (arrival: { context: { session: Session } }) => {
      requireScope(scope, arrival.context.session)
      return own?.(arrival)
    }
  }
}

function leadsThrough(route: AnyRoute, behind: AnyRoute): boolean {
  const parent: AnyRoute | undefined = route.parentRoute
  return parent !== undefined && (parent === behind || leadsThrough(parent, behind))
}

export const leave = (router: AnyRouter, leaving: { isRemembering: boolean }): void =>
  leaveSession(portalSession, router, leaving)
