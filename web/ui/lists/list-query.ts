import type { FiltersOf, ListDeclaration } from '@atrium/contract/list.ts'
import { onlineManager, type QueryClient, queryOptions } from '@tanstack/react-query'
import { askedOf, type ListSearch } from './list-address.ts'
import type { ListViewStore } from './list-views.tsx'

/** A page of a list, with the whole answer and the search parameters of its URL. */
export type ListPage<Row, Answer> = ListAnswer<Row, Answer> & { search: Record<string, unknown> }
export type ListAnswer<Row, Answer> = {
  rows: Row[]
  next: string | null
  previous: string | null
  total?: number
  /** Counting stopped before the end. */
  isLeast?: boolean
  answer: Answer
}

/** A page of a call that pages by number; its total is exact. */
export const numberedPage = <Row, Answer = null>(
  rows: Row[],
  total = rows.length,
  answer = null as Answer,
): ListAnswer<Row, Answer> => ({ rows, next: null, previous: null, total, answer })

/** A page of a list that its call returns whole. */
export const pageOfAll = <Row>(all: Row[], { pageSize = all.length }: ListDeclaration, page = 1) =>
  numberedPage(all.slice((page - 1) * pageSize, page * pageSize), all.length, all)

type Asked<List extends ListDeclaration> = FiltersOf<List> & {
  after?: string | undefined
  before?: string | undefined
  page?: number | undefined
  limit?: number
}

/** A declared list with its calls; `listSource` makes those of the desk. */
export type ListSource<List extends ListDeclaration, Row, Answer> = {
  list: List
  /** The query key of its pages. */
  key: string | readonly unknown[]
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
    queryKey: [...(typeof key === 'string' ? [key] : key), search],
    queryFn: async ({ client }) => ({ ...(await ask(askedOf(list, search), client)), search }),
    // Offline, nothing loads: the rows of another filter would stay under this one.
    placeholderData: (before) => (onlineManager.isOnline() ? before : undefined),
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data && refreshMs ? refreshMs(state.data.rows) : false),
  })
}
