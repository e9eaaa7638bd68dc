/**
 * Each field meets a part of the worst texts, another one than its neighbour; with `ATRIUM_TEST_WORST_TEXTS=all` each meets all of
 * them, which takes the better part of an hour.
 */
const isAll = process.env.ATRIUM_TEST_WORST_TEXTS === 'all'
/** One in so many. */
export const share = isAll ? { sent: 1, kept: 1 } : { sent: 12, kept: 6 }
export const timeout = isAll ? 3_600_000 : 600_000

/** One test of all of them came near the time that a test has. */
export const parts = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((name, part, { length }) => ({
  name: `${name} part`,
  has: (number: number): boolean => number % length === part,
}))
