import { useDeferredValue } from 'react'

/**
 * True once ready. React renders what then appears in slices, between which the page reacts; a list would hold a slow phone for a
 * fifth of a second.
 */
export function useInSlices(isReady: boolean): boolean {
  const wasReady = useDeferredValue(isReady)
  return wasReady && isReady
}
