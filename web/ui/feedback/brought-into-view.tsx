import type { ReactNode } from 'react'

/** For `ref`: focuses the element when it appears, which also scrolls to it. */
export const focusAtOnce = (element: HTMLElement | null): void => element?.focus()

/** A message that may appear outside of the visible part of a page or dialog. */
export function BroughtIntoView({ children }: { children: ReactNode }) {
  return (
    <div ref={focusAtOnce} tabIndex={-1}>
      {children}
    </div>
  )
}
