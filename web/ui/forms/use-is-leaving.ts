import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Whether the user is navigating to another page whose code is still loading. Automatic navigation of a page (opening the
 * first row, continuing after a delay) must not bring them back.
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
