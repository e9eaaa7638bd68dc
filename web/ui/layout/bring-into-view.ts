/** For the selected item of a horizontally scrolling row, which may be beyond the edge on a phone. */
export const bringIntoView = (chosen: HTMLElement | null) => {
  // In the next frame, which lays out the page anyway: while React renders, scrolling would lay it out once more.
  if (chosen) requestAnimationFrame(() => chosen.scrollIntoView({ block: 'nearest', inline: 'center' }))
}
