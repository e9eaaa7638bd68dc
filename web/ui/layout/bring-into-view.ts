/** For the selected item of a horizontally scrolling row, which may be beyond the edge on a phone. */
export const bringIntoView = (chosen: HTMLElement | null) => {
  // In the next frame, which lays out the page anyway: while React renders, measuring would lay it out once more.
  if (chosen) requestAnimationFrame(() => centre(chosen))
}

/** Scrolls the row alone: the page may just have been scrolled to where the user left it. */
function centre(chosen: HTMLElement): void {
  const middleOf = (element: Element) => {
    const { left, width } = element.getBoundingClientRect()
    return left + width / 2
  }
  for (let row = chosen.parentElement; row?.closest('nav'); row = row.parentElement)
    if (row.scrollWidth > row.clientWidth) row.scrollLeft += middleOf(chosen) - middleOf(row)
}
