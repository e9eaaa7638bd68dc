/** For the selected item of a horizontally scrolling row, which may be beyond the edge on a phone. */
export const bringIntoView = (chosen: HTMLElement | null) =>
  chosen?.scrollIntoView({ block: 'nearest', inline: 'center' })
