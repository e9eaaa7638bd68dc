import { useState } from 'react'

/** Whether this is another version than the one that was shown first. */
export function useIsNewer(version: number): boolean {
  const [first] = useState(version)
  return version !== first
}
