import { limits } from '@atrium/contract/limits.ts'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ChangeEvent, useEffect, useState } from 'react'

/** A field whose text is told once the typing rests, unless it is longer than what can be searched for. */
export function useRestingText(value: string, onRest: (text: string) => void, charsMax: number) {
  const [typed, setTyped] = useState(value)
  const tellLater = useDebouncedCallback(onRest, limits.filterDebounceMs)
  // The address can change by itself: by the browser's back, or a link.
  useEffect(() => setTyped(value), [value])
  return {
    value: typed,
    onChange(event: ChangeEvent<HTMLInputElement>) {
      setTyped(event.currentTarget.value)
      if (event.currentTarget.value.length <= charsMax) tellLater(event.currentTarget.value)
      else tellLater.cancel()
    },
  }
}
