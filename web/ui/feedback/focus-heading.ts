/**
 * After an action has removed the row or the button with the focus, the focus goes to the page's heading, or to the content of the
 * desk, so that Tab does not begin anew. An action that the screen still offers keeps its focus.
 */
export function focusHeadingWhenLost(): void {
  // React removes them in a task after the data has been read again.
  setTimeout(() => focusWhenLost(document.querySelector<HTMLElement>('#content h1, #desk-content')))
}

/** Focuses the element if the one that had the focus is gone. */
export function focusWhenLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
