import { limits } from '@atrium/contract/limits.ts'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ChangeEvent, useEffect, useState } from 'react'

/** A debounced text field; text longer than the limit is not reported. `take`: the text to keep of what was typed. */
export function useDebouncedText(
  value: string,
  onTyped: (text: string) => void,
  charsMax: number,
  take = (_current: string, text: string): string => text,
) {
  const [typed, setTyped] = useState(value)
  const reportLater = useDebouncedCallback(onTyped, limits.filterDebounceMs)
  // The address can change by itself: through the browser's back button or a link.
  useEffect(() => setTyped(value), [value])
  return {
    value: typed,
    onChange(event: ChangeEvent<HTMLInputElement>) {
      const text = take(typed, event.currentTarget.value)
      setTyped(text)
      if (text.length <= charsMax) reportLater(text)
      else reportLater.cancel()
    },
  }
}
