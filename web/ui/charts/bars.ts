import type { Meaning } from '../brand/theme.ts'

/** One colour of bars, by its meaning. */
export type BarSeries = { label: string; meaning: Meaning }

/** What stands together: a figure for each series, in the order of the series. */
export type BarGroup = { label: string; figures: string[] }
