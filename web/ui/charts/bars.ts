import type { Meaning } from '../brand/theme.ts'

/** One series of bars, coloured by its meaning. */
export type BarSeries = { label: string; meaning: Meaning }

/** A group of adjacent bars: one amount per series, in the order of the series. */
export type BarGroup = { label: string; amounts: string[] }
