/** The days of a filter in the address: `yyyy-mm-dd`, both inclusive, absent when not chosen. */
export type DaySpan = { from?: string; to?: string }
