/** Time ranges of an account's chart. */
export const metricsRanges = ['1d', '1w', '1m', '3m', '1y', 'all'] as const
export type MetricsRange = (typeof metricsRanges)[number]
