import { useLayoutEffect } from 'react'

type Shown = { isDirty: boolean; isSubmitting: boolean }

/**
 * A form without unsaved edits shows what somebody else has saved since it opened. Otherwise it contradicts the page around
 * it, and its buttons act on values that nobody has seen.
 */
export function useNewerValues({ isDirty, isSubmitting }: Shown, isNewer: boolean, take: () => void): void {
  const isBehind = isNewer && !isDirty && !isSubmitting
  useLayoutEffect(() => {
    if (isBehind) take()
  })
}
