/** After the row with the focus has left the page, the focus goes to the page's heading, so that Tab does not begin anew. */
export function focusHeadingWhenLost(): void {
  // React removes the row in a task after the list has been read again.
  setTimeout(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('#content h1')?.focus({ preventScroll: true })
  })
}
