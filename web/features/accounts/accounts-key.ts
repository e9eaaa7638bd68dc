/** The query key of everything that holds accounts. */
export const accountsKey = ['accounts'] as const
