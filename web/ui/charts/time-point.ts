/** One known amount; `at` in milliseconds, ascending. */
export type TimePoint = { at: number; amount: string }
