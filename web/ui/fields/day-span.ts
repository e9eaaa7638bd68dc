/** The days of a filter in the address: `yyyy-mm-dd`, both included, and left out where nothing was chosen. */
export type DaySpan = { from?: string; to?: string }
