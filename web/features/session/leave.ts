import type { AnyRouter } from '@tanstack/react-router'
import type { SessionStore } from '../../api/session-store.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { queryClient } from '../../ui/lists/query-client.ts'

type Leaving = {
  /** True when the session expired: the user returns to the same page after signing in. False after signing out. */
  isRemembering: boolean
}

/** Opens the sign-in page and clears the memory of this person's data. */
export function leaveSession(session: SessionStore, router: AnyRouter, { isRemembering }: Leaving): void {
  const { pathname, href } = router.state.location
  if (!isRemembering) session.leave()
  else if (pathname !== '/login') session.rememberTarget(href)
  session.clear()
  toast.clear()
  // Only after the screen is unmounted: it would refetch cleared data without a session.
  router.navigate({ to: '/login', ignoreBlocker: true }).finally(() => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
    queryClient.getMutationCache().clear()
  })
}
