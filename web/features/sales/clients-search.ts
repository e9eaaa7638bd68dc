import { type ClientSort, clientSorts, clientStatuses } from '@atrium/contract/members/sales.ts'

/** Search, filter, order and page of the list of clients, as query parameters. */
export type ClientsSearch = {
  q: string
  status: '' | (typeof clientStatuses)[number]
  sort: ClientSort
  order: 'asc' | 'desc'
  page: number
}

const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : ''

/** Reads hand-typed addresses too: an invalid value counts as absent. */
export function readClientsSearch(search: Record<string, unknown>): ClientsSearch {
  const page = Number(asText(search.page))
  const { status } = search
  return {
    q: asText(search.q),
    status: clientStatuses.find((each) => each === status) ?? '',
    sort: clientSorts.find((sort) => sort === search.sort) ?? 'name',
    order: search.order === 'desc' ? 'desc' : 'asc',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

const usual: Record<string, unknown> = { q: '', status: '', sort: 'name', order: 'asc', page: 1 }

export function writeClientsSearch(search: ClientsSearch): Record<string, string | number> {
  return Object.fromEntries(Object.entries(search).filter(([name, value]) => value !== usual[name]))
}

/** The query variables: only what is set. */
export function filterOf({ q, status, sort, order }: ClientsSearch) {
  return { sort, order, ...(q.trim() && { q: q.trim() }), ...(status && { status }) }
}
