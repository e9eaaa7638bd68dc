import { useRef } from 'react'
import { ApiError } from '../api/api-error.ts'

/** What a form sent without an answer. It may have been saved, and must then not be taken for the change of somebody else. */
export function useLostSave<Values>() {
  const lost = useRef<Values | null>(null)
  return {
    /** For the error of each attempt. */
    note(error: unknown, sent: Values): void {
      if (error instanceof ApiError && error.isOutcomeUnknown) lost.current = sent
    },
    /** Returns it once the outcome is known; null if no answer was lost. */
    take(): Values | null {
      const values = lost.current
      lost.current = null
      return values
    },
  }
}
