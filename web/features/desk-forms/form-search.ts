/** What the address says about the list of forms. */
export type FormsSearch = { archived?: 'yes' }

/** Anybody may write an address: what makes no sense in it is left out. */
export const readFormsSearch = (search: Record<string, unknown>): FormsSearch =>
  search.archived === 'yes' ? { archived: 'yes' } : {}
