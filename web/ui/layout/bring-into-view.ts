/** For the chosen one of a row that scrolls sideways: on a phone the last ones are beyond the edge. */
export const bringIntoView = (chosen: HTMLElement | null) =>
  chosen?.scrollIntoView({ block: 'nearest', inline: 'center' })
