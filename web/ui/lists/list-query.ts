import type { FiltersOf, ListDeclaration } from '@atrium/contract/list.ts'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ListSearch } from './list-address.ts'
import type { ListViewStore } from './list-views.tsx'

/** A page of a list, with the whole answer and what was asked for. */
export type ListPage<Row, Answer> = {
  rows: Row[]
  next: string | null
  previous: string | null
  total?: number
  answer: Answer
  asked: Record<string, unknown>
}

/** A declared list with its calls: what `listSource` makes. */
export type ListSource<List extends ListDeclaration, Row, Answer> = {
  list: List
  key: string
  ask: (search: ListSearch<List> & { limit?: number }, client: QueryClient) => Promise<ListPage<Row, Answer>>
  views: ListViewStore
  refreshMs?: ((rows: Row[]) => number | false) | undefined
  save?: ((input: FiltersOf<List> & { ids?: string }, tell?: (bytes: number) => void) => Promise<void>) | undefined
}

export function listQuery<List extends ListDeclaration, Row, Answer>(
  { key, ask, refreshMs }: ListSource<List, Row, Answer>,
  search: ListSearch<List> & { limit?: number },
) {
  return queryOptions<ListPage<Row, Answer>>({
    queryKey: [key, search],
    queryFn: ({ client }) => ask(search, client),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data && refreshMs ? refreshMs(state.data.rows) : false),
  })
}
