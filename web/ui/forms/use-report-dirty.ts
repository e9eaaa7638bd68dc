import { useLayoutEffect } from 'react'

/**
 * Tells whoever guards a form whether something would be lost with it. In the layout effect: on a busy machine the key that closes
 * the form comes before what is done after painting, and what was typed just then would go without a question.
 */
export function useReportDirty(isDirty: boolean, onDirty?: (isDirty: boolean) => void): void {
  useLayoutEffect(() => {
    onDirty?.(isDirty)
    return () => onDirty?.(false)
  }, [isDirty, onDirty])
}
