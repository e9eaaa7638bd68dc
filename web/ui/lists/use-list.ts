import type { ListDeclaration } from '@atrium/contract/list.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useIsLeaving } from '../forms/use-is-leaving.ts'
import { useKeys } from '../layout/keyboard.tsx'
import { askedOf, filtersOf, type ListSearch, readListSearch } from './list-address.ts'
import { type ListSource, listQuery } from './list-query.ts'
import { useSelection } from './list-selection.tsx'
import { pageCount } from './paging/pager.ts'

/** The default page size of the calls. */
export const pageSize = 25

type Place = { to: string; params?: object }
/** `isReplacing`: a filter change adds no entry to the browser's history. */
type Options = Place & { isReplacing?: boolean }

export type ListState<List extends ListDeclaration, Row extends { _id: string }, Answer> = ReturnType<
  typeof useList<List, Row, Answer>
>

/** The state of a declared list, all of it in the address, and how to change it. */
export function useList<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  source: ListSource<List, Row, Answer>,
  { to, params = {}, isReplacing = false }: Options,
) {
  const { list } = source
  const navigate = useNavigate()
  const isLeaving = useIsLeaving(to)
  const search = readListSearch(list, useSearch({ strict: false }))
  const filters = filtersOf(list, search)
  const page = useQuery(listQuery(source, search))
  const selection = useSelection(JSON.stringify(filters))
  const field = useRef<HTMLInputElement>(null)
  const go = (next: ListSearch<List>, replace = isReplacing) => {
    // A search that settles while another page loads must not navigate back.
    if (!isLeaving()) void navigate({ to: to as '/', params: params as never, search: next as never, replace })
  }
  const pages = pageCount(page.data?.total ?? 0, pageSize)
  const isEmpty = page.data?.rows.length === 0 && !page.isPlaceholderData
  const isBeyond = list.isNumbered && isEmpty && (search.page ?? 1) > pages
  const goToLast = useRef<() => void>(undefined)
  goToLast.current = () => go({ ...filters, page: pages } as ListSearch<List>, true)
  // The last page can become empty while staff work on it.
  useEffect(() => {
    if (isBeyond) goToLast.current?.()
  }, [isBeyond])
  const asked = askedOf(list, filters)
  return {
    source,
    list,
    search,
    filters,
    page,
    selection,
    field,
    go,
    save: source.save && ((tell?: (bytes: number) => void) => source.save?.(asked, tell) ?? Promise.resolve()),
    saveSelected: async () => source.save?.({ ...asked, ids: [...selection.ids].join(',') }),
  }
}

type Keyed = {
  field: { current: HTMLInputElement | null }
  selection: ReturnType<typeof useSelection>
  source: { isSelectable?: boolean }
  isSearched: boolean
  move: (step: 1 | -1) => void
  /** The focused row. */
  here: () => string | undefined
}

/** The same keys in every list. They move the focus, so that a screen reader reads the row. */
export function useListKeys(
  label: string,
  { field, selection, source: { isSelectable }, isSearched, move, here }: Keyed,
): void {
  const select = () => {
    const id = here()
    if (id) selection.turn(id)
  }
  useKeys(label, [
    { keys: 'j', words: 'Next row', mayRepeat: true, act: () => move(1) },
    { keys: 'k', words: 'Previous row', mayRepeat: true, act: () => move(-1) },
    ...(isSelectable ? [{ keys: 'x', words: 'Select the row', act: select }] : []),
    ...(isSearched ? [{ keys: '/', words: 'Search', act: () => field.current?.focus() }] : []),
  ])
}
