import { every, type FiltersOf, type ListDeclaration, type ListFilter } from '@atrium/contract/list.ts'
import { isDay } from '@atrium/contract/validators/dates.ts'
import { idShape, markShape, wordsShape } from './search-shapes.ts'

/** The query parameters of a list: the filters that are set, and the cursor of the page. */
export type ListSearch<List extends ListDeclaration> = FilterValues<List> & {
  after?: string | undefined
  before?: string | undefined
  /** For a list with numbered pages. */
  page?: number | undefined
}
type FilterValues<List extends ListDeclaration> = {
  [Name in keyof List['filters']]?:
    | FiltersOf<List>[Name]
    | (List['filters'][Name] extends { first: unknown } ? typeof every : never)
}

const pageMax = 100_000

function fits(filter: ListFilter, value: string, said: Record<string, unknown>): boolean {
  if (filter.kind === 'choice') {
    const isKnown = filter.values.includes(value) || (value === every && mayBeAll(filter))
    // A default value is omitted.
    return isKnown && value !== (filter.first?.(said) ?? filter.usual)
  }
  if (filter.kind === 'text') return value.length <= filter.charsMax && filter.pattern.test(value)
  if (filter.kind === 'day') return isDay(value)
  return { search: wordsShape, id: idShape }[filter.kind].test(value)
}

const mayBeAll = (filter: ListFilter): boolean =>
  filter.kind === 'choice' && filter.first !== undefined && filter.usual === undefined

/** Reads hand-typed addresses too: invalid values are omitted. */
export function readListSearch<List extends ListDeclaration>(
  list: List,
  search: Record<string, unknown>,
): ListSearch<List> {
  const read = (name: string, isFitting: (value: string) => boolean) => {
    const value = typeof search[name] === 'number' ? String(search[name]) : search[name]
    return typeof value === 'string' && isFitting(value) ? [[name, value]] : []
  }
  const filters = Object.entries(list.filters).flatMap(([name, filter]) =>
    read(name, (value) => fits(filter, value, search)),
  )
  const page = Number(search.page)
  const isPage = Number.isInteger(page) && page > 1 && page <= pageMax
  return Object.fromEntries([
    ...filters,
    ...(list.isNumbered
      ? isPage
        ? [['page', page]]
        : []
      : ['after', 'before'].flatMap((name) => read(name, (value) => markShape.test(value)))),
  ])
}

/** The filters in the URL, without its page. */
export function filtersOf<List extends ListDeclaration>(list: List, search: ListSearch<List>): FilterValues<List> {
  return readListSearch(list, { ...search, after: undefined, before: undefined, page: undefined })
}

/** The input of the call: adds the initial values of the page and removes `all`. */
export function askedOf<List extends ListDeclaration>(list: List, search: ListSearch<List>): FiltersOf<List> {
  const asked: Record<string, unknown> = { ...search }
  for (const [name, filter] of Object.entries(list.filters)) {
    if (filter.kind !== 'choice') continue
    asked[name] ??= filter.first?.(search) ?? filter.usual
    if (asked[name] === every && mayBeAll(filter)) asked[name] = undefined
  }
  return asked as FiltersOf<List>
}

/** A changed filter or order returns to the first page; a new search covers every state. */
export function withFilter<List extends ListDeclaration>(
  list: List,
  search: ListSearch<List>,
  change: Partial<Record<keyof List['filters'], string | null>>,
): ListSearch<List> {
  const said: Record<string, unknown> = { ...filtersOf(list, search) }
  const isNewSearch = Object.entries(list.filters).some(
    ([name, { kind }]) => kind === 'search' && !said[name] && change[name],
  )
  const everywhere = Object.entries(list.filters).flatMap(([name, filter]) => (mayBeAll(filter) ? [[name, every]] : []))
  return readListSearch(list, { ...said, ...(isNewSearch && Object.fromEntries(everywhere)), ...change })
}

const isOrder = (filter: ListFilter | undefined): boolean => filter?.kind === 'choice' && filter.isOrder === true

/** The number of filters that are set, not counting the order and the tab. */
export const countFilters = <List extends ListDeclaration>(list: List, search: ListSearch<List>, tab?: string) =>
  Object.keys(filtersOf(list, search)).filter((name) => name !== tab && !isOrder(list.filters[name])).length

/** Without filters; the order and the tab stay. */
export const withoutFilters = <List extends ListDeclaration>(list: List, search: ListSearch<List>, tab?: string) =>
  Object.fromEntries(
    Object.entries(filtersOf(list, search)).filter(([name]) => name === tab || isOrder(list.filters[name])),
  ) as ListSearch<List>

/** For the route of a list. */
export const searchOf =
  <List extends ListDeclaration>(list: List) =>
  (search: Record<string, unknown>): ListSearch<List> =>
    readListSearch(list, search)
