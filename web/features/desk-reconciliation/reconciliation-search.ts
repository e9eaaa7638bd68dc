import { readShaped, type Shapes } from '../../ui/lists/search-shapes.ts'

/** URL filters of the days. The URL holds only set filters. */
export type ReconciliationSearch = {
  from?: string
  to?: string
  currency?: string
  method?: string
  only?: 'differences'
}

const dayShape = /^\d{4}-\d{2}-\d{2}$/
const shapes: Shapes<Required<ReconciliationSearch>> = {
  from: dayShape,
  to: dayShape,
  currency: /^[A-Z0-9]{2,12}$/,
  method: /^[\w:.-]{1,60}$/,
  only: /^differences$/,
}

export const readReconciliationSearch = (search: Record<string, unknown>): ReconciliationSearch =>
  readShaped(shapes, search)

export const withFilter = (
  search: ReconciliationSearch,
  change: Partial<Record<keyof ReconciliationSearch, string | null>>,
): ReconciliationSearch => readReconciliationSearch({ ...search, ...change })
