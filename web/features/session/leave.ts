import type { AnyRouter } from '@tanstack/react-router'
import type { SessionStore } from '../../api/session-store.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { queryClient } from '../../ui/lists/query-client.ts'

type Leaving = {
  /** The session ran out, and its person may go on where they were. Whoever leaves by choice has no place to go on at. */
  isRemembering: boolean
}

/** Out to the sign-in page; nothing of one person stays in memory for the next. */
export function leaveSession(session: SessionStore, router: AnyRouter, { isRemembering }: Leaving): void {
  const { pathname, href } = router.state.location
  if (!isRemembering) session.leave()
  else if (pathname !== '/login') session.rememberTarget(href)
  session.clear()
  notice.clear()
  // Only once the screen is gone: it would ask anew for what it misses, without a session.
  router.navigate({ to: '/login', ignoreBlocker: true }).finally(() => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
    queryClient.getMutationCache().clear()
  })
}
