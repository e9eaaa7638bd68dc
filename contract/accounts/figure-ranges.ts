/** Time ranges of an account's chart. */
export const figureRanges = ['1d', '1w', '1m', '3m', '1y', 'all'] as const
export type FigureRange = (typeof figureRanges)[number]
