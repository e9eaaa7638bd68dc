/** One known figure; `at` in milliseconds, ascending. */
export type TimePoint = { at: number; figure: string }
