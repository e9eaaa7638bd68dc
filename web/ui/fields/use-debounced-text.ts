import { limits } from '@atrium/contract/limits.ts'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ChangeEvent, useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * Follows a value that a field reports and that also changes elsewhere, through the browser's back button or a link;
 * returns the function to call with each report. A value that comes back later than the next key press is no change,
 * and must not undo that press.
 */
export function useOutsideChange(value: string, onChange: (value: string) => void): (reported: string) => void {
  const known = useRef(value)
  const change = useEffectEvent(onChange)
  useEffect(() => {
    if (known.current === value) return
    known.current = value
    change(value)
  }, [value])
  return (reported) => {
    known.current = reported
  }
}

/** A debounced text field; text longer than the limit is not reported. `take`: the text to keep of what was typed. */
export function useDebouncedText(
  value: string,
  onTyped: (text: string) => void,
  charsMax: number,
  take = (_current: string, text: string): string => text,
) {
  const [typed, setTyped] = useState(value)
  const noteReport = useOutsideChange(value, setTyped)
  const reportLater = useDebouncedCallback((text: string) => {
    noteReport(text)
    onTyped(text)
  }, limits.filterDebounceMs)
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
