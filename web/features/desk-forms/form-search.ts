/** URL state of the list of forms. */
export type FormsSearch = { archived?: 'yes' }

/** Ignores invalid values in the URL. */
export const readFormsSearch = (search: Record<string, unknown>): FormsSearch =>
  search.archived === 'yes' ? { archived: 'yes' } : {}
