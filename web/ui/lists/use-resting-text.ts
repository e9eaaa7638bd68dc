import { limits } from '@atrium/contract/limits.ts'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ChangeEvent, useEffect, useState } from 'react'

/** A debounced text field; text longer than the search limit is not reported. */
export function useRestingText(value: string, onRest: (text: string) => void, charsMax: number) {
  const [typed, setTyped] = useState(value)
  const reportLater = useDebouncedCallback(onRest, limits.filterDebounceMs)
  // The address can change by itself: through the browser's back button or a link.
  useEffect(() => setTyped(value), [value])
  return {
    value: typed,
    onChange(event: ChangeEvent<HTMLInputElement>) {
      setTyped(event.currentTarget.value)
      if (event.currentTarget.value.length <= charsMax) reportLater(event.currentTarget.value)
      else reportLater.cancel()
    },
  }
}
