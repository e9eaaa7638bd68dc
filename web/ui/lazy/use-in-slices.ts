import { useDeferredValue } from 'react'

/**
 * The value, once it is there. React renders what then appears in slices, between which the page reacts; a list would hold a slow phone
 * for a fifth of a second.
 */
export function useInSlices<Value>(value: Value | undefined): Value | undefined {
  const isReady = useDeferredValue(value !== undefined)
  return isReady ? value : undefined
}
