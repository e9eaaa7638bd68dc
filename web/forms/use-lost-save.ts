import { useRef } from 'react'
import { ApiError } from '../api/api-error.ts'
import { begunAfter, type Values as Fields } from './merge-values.ts'

/** What a form sent without an answer. It may have been saved, and must then not be taken for the change of somebody else. */
export function useLostSave<Values>() {
  const lost = useRef<Values | null>(null)
  /** Returns it once the outcome is known; null if no answer was lost. */
  const take = (): Values | null => {
    const values = lost.current
    lost.current = null
    return values
  }
  return {
    /** For the error of each attempt. */
    note(error: unknown, sent: Values): void {
      if (error instanceof ApiError && error.isOutcomeUnknown) lost.current = sent
    },
    take,
    /** What the input began from, which began with `before`, now that `theirs` is stored. */
    begun(before: Values, theirs: Values): Values {
      const own = take()
      return own ? (begunAfter(own as Fields, before as Fields, theirs as Fields) as Values) : before
    },
  }
}
