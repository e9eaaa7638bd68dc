import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { focusWhenLost } from '../../ui/feedback/focus-heading.ts'

/** Removes a row of a form. The last row takes the pressed button with it: the focus then goes to the button that adds one. */
export function useRemoval<Row>(rows: readonly Row[], onChange: (rows: Row[]) => void) {
  const adding = useRef<HTMLButtonElement>(null)
  return {
    /** For the button that adds a row. */
    adding,
    remove(index: number) {
      flushSync(() => onChange(rows.filter((_, at) => at !== index)))
      focusWhenLost(adding.current)
    },
  }
}
