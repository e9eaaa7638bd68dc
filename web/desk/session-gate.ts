import { type DeskRight, holdsRight } from '@atrium/contract/desk-rights.ts'
import { type AnyRouter, redirect } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { type DeskUser, deskSession, deskUserQuery } from '../features/desk-session/desk-session.ts'
import { queryClient } from '../ui/root.tsx'

/** Lets signed-in staff through with their role loaded; everybody else goes to sign in and comes back after. */
export async function requireStaff({ location }: { location: { href: string } }): Promise<{ user: DeskUser }> {
  if (!deskSession.read()) {
    deskSession.rememberTarget(location.href)
    throw redirect({ to: '/login' })
  }
  try {
    return { user: await queryClient.ensureQueryData(deskUserQuery) }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'second_factor_required') {
      deskSession.rememberTarget(location.href)
      throw redirect({ to: '/second-factor' })
    }
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
    deskSession.clear()
    deskSession.rememberTarget(location.href)
    throw redirect({ to: '/login' })
  }
}

/** For a screen that asks for a right. The server refuses its calls anyway; this spares people the sight of it. */
export function requireRight(right: DeskRight) {
  return ({ context }: { context: { user: DeskUser } }) => {
    if (!holdsRight(context.user.type, right)) throw redirect({ to: '/unauthorized' })
  }
}

/** Nothing of one person stays in memory for the next. */
export function leave(router: AnyRouter, { isRemembering }: { isRemembering: boolean }): void {
  const { pathname, href } = router.state.location
  // Whoever leaves by choice has no place to go on at; the next person here may be somebody else.
  if (!isRemembering) deskSession.leave()
  else if (pathname !== '/login') deskSession.rememberTarget(href)
  deskSession.clear()
  router.navigate({ to: '/login', ignoreBlocker: true }).finally(() => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
    queryClient.getMutationCache().clear()
  })
}
