import { useLayoutEffect } from 'react'

/**
 * Reports unsaved input to the form's guard. In a layout effect: on a slow machine, the closing key could arrive before a
 * passive effect, and the latest input would be lost without a question.
 */
export function useReportDirty(isDirty: boolean, onDirty?: (isDirty: boolean) => void): void {
  useLayoutEffect(() => {
    onDirty?.(isDirty)
    return () => onDirty?.(false)
  }, [isDirty, onDirty])
}
