import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Whether somebody is on the way from this page to another whose code is still coming. What a page does by itself (opening the
 * first row, going on after a while) must not call them back.
 */
export function useIsLeaving(here: string): () => boolean {
  const router = useRouter()
  return useCallback(
    () =>
      router.state.status === 'pending' &&
      router.matchRoute({ to: here } as never, { pending: true, includeSearch: false }) === false,
    [router, here],
  )
}
