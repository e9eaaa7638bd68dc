import type { FiltersOf, ListDeclaration } from '@atrium/contract/list.ts'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { askedOf, type ListSearch } from './list-address.ts'
import type { ListViewStore } from './list-views.tsx'

/** A page of a list, with the whole answer and the search parameters of its URL. */
export type ListPage<Row, Answer> = ListAnswer<Row, Answer> & { search: Record<string, unknown> }
export type ListAnswer<Row, Answer> = {
  rows: Row[]
  next: string | null
  previous: string | null
  total?: number
  answer: Answer
}

type Asked<List extends ListDeclaration> = FiltersOf<List> & {
  after?: string | undefined
  before?: string | undefined
  page?: number | undefined
  limit?: number
}

/** A declared list with its calls, made by `listSource`. */
export type ListSource<List extends ListDeclaration, Row, Answer> = {
  list: List
  key: string
  ask: (asked: Asked<List>, client: QueryClient) => Promise<ListAnswer<Row, Answer>>
  /** Undefined for members, who have no saved views. */
  views?: ListViewStore | undefined
  isSelectable?: boolean
  refreshMs?: ((rows: Row[]) => number | false) | undefined
  save?: ((input: FiltersOf<List> & { ids?: string }, onBytes?: (bytes: number) => void) => Promise<void>) | undefined
}

export function listQuery<List extends ListDeclaration, Row, Answer>(
  { list, key, ask, refreshMs }: ListSource<List, Row, Answer>,
  search: ListSearch<List> & { limit?: number },
) {
  return queryOptions<ListPage<Row, Answer>>({
    queryKey: [key, search],
    queryFn: async ({ client }) => ({ ...(await ask(askedOf(list, search), client)), search }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data && refreshMs ? refreshMs(state.data.rows) : false),
  })
}
