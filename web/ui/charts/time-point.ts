/** One known figure; `at` in milliseconds, rising. */
export type TimePoint = { at: number; figure: string }
