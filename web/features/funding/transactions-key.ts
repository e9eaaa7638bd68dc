/** The query key of everything that holds transactions. */
export const transactionsKey = ['transactions'] as const
