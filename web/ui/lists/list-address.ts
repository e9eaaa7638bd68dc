import type { FiltersOf, ListDeclaration, ListFilter } from '@atrium/contract/list.ts'
import { idShape, markShape, wordsShape } from './shaped-search.ts'

/** What the address says about a list: its filters as far as they are set, and where its page begins. */
export type ListSearch<List extends ListDeclaration> = FiltersOf<List> & {
  after?: string | undefined
  before?: string | undefined
}

const dayShape = /^\d{4}-\d{2}-\d{2}$/

function fits(filter: ListFilter, value: string): boolean {
  // What holds anyway needs no word.
  if (filter.kind === 'choice') return filter.values.includes(value) && value !== filter.usual
  if (filter.kind === 'text') return value.length <= filter.charsMax && filter.pattern.test(value)
  return { search: wordsShape, id: idShape, day: dayShape }[filter.kind].test(value)
}

/** Anybody may write an address: what makes no sense in it is left out. */
export function readListSearch<List extends ListDeclaration>(
  list: List,
  search: Record<string, unknown>,
): ListSearch<List> {
  const read = (name: string, isFitting: (value: string) => boolean) => {
    const value = typeof search[name] === 'number' ? String(search[name]) : search[name]
    return typeof value === 'string' && isFitting(value) ? [[name, value]] : []
  }
  return Object.fromEntries([
    ...Object.entries(list.filters).flatMap(([name, filter]) => read(name, (value) => fits(filter, value))),
    ...['after', 'before'].flatMap((name) => read(name, (value) => markShape.test(value))),
  ])
}

export function filtersOf<List extends ListDeclaration>(list: List, search: ListSearch<List>): FiltersOf<List> {
  return readListSearch(list, { ...search, after: undefined, before: undefined })
}

/** Another filter or order begins at the first page. */
export const withFilter = <List extends ListDeclaration>(
  list: List,
  search: ListSearch<List>,
  change: Partial<Record<keyof List['filters'], string | null>>,
): ListSearch<List> => readListSearch(list, { ...filtersOf(list, search), ...change })

/** Whether more would be listed without its filters. */
export function isFiltered<List extends ListDeclaration>(list: List, search: ListSearch<List>): boolean {
  return Object.keys(filtersOf(list, search)).some((name) => {
    const filter = list.filters[name]
    return filter !== undefined && !(filter.kind === 'choice' && filter.isOrder)
  })
}

/** For the route of a list. */
export const searchOf =
  <List extends ListDeclaration>(list: List) =>
  (search: Record<string, unknown>): ListSearch<List> =>
    readListSearch(list, search)
