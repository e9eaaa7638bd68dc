import type { ListDeclaration } from '@atrium/contract/list.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useIsLeaving } from '../forms/use-is-leaving.ts'
import { useKeys } from '../layout/keyboard.tsx'
import { askedOf, filtersOf, type ListSearch, readListSearch } from './list-address.ts'
import { type ListSource, listQuery } from './list-query.ts'
import { pageCount } from './paging/pager.ts'
import { useSelection } from './use-selection.ts'

/** The default page size of the calls. */
const pageSize = 25

type Place = { to: string; params?: object }
type Options = Place & {
  /** A filter change adds no entry to the browser's history. */
  isReplacing?: boolean
  /** A change of the list keeps the scroll position. */
  isScrollKept?: boolean
  /** Other query parameters of the page, which a change of the list keeps. */
  others?: object
}

/** The options of a list that is part of a page. */
export const inPlace = { isReplacing: true, isScrollKept: true } as const

export type ListState<List extends ListDeclaration, Row extends { _id: string }, Answer> = ReturnType<
  typeof useList<List, Row, Answer>
>

/** The state of a declared list, all of it in the address, and how to change it. */
export function useList<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  source: ListSource<List, Row, Answer>,
  { to, params = {}, isReplacing = false, isScrollKept = false, others }: Options,
) {
  const { list } = source
  const navigate = useNavigate()
  const isLeaving = useIsLeaving(to)
  const search = readListSearch(list, useSearch({ strict: false }))
  const filters = filtersOf(list, search)
  const page = useQuery(listQuery(source, search))
  const selection = useSelection(JSON.stringify(filters))
  const field = useRef<HTMLInputElement>(null)
  const navigateTo = (next: object, replace: boolean) =>
    void navigate({
      to: to as '/',
      params: params as never,
      search: { ...others, ...next } as never,
      replace,
      resetScroll: !isScrollKept,
    })
  const go = (next: ListSearch<List>, replace = isReplacing) => {
    // A search that settles while another page loads must not navigate back.
    if (!isLeaving()) navigateTo(readListSearch(list, next), replace)
  }
  const size = list.pageSize ?? pageSize
  const pages = pageCount(page.data?.total ?? 0, size)
  const isEmpty = page.data?.rows.length === 0 && !page.isPlaceholderData
  const isBeyond = list.isNumbered && isEmpty && (search.page ?? 1) > pages
  const goToLast = useRef<() => void>(undefined)
  goToLast.current = () => go({ ...filters, page: pages } as ListSearch<List>, true)
  // The last page can become empty while staff work on it.
  useEffect(() => {
    if (isBeyond) goToLast.current?.()
  }, [isBeyond])
  // Rows that left a page beyond the end must not look like an empty list until the last page has loaded.
  const isEmptied = page.data?.rows.length === 0 && (isBeyond || page.data.search.page !== search.page)
  const asked = askedOf(list, filters)
  return {
    source,
    list,
    search,
    filters,
    page,
    /** Undefined until there is a page to show. */
    rows: isEmptied ? undefined : page.data?.rows,
    selection,
    field,
    size,
    asked,
    /** The query parameters of the whole page. */
    address: { ...others, ...search },
    go,
    /** Adds query parameters of the page itself, such as the open row. */
    show: (more: object, replace = true) => navigateTo({ ...search, ...more }, replace),
    save: source.save && ((report?: (bytes: number) => void) => source.save?.(asked, report) ?? Promise.resolve()),
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
    { keys: 'j', label: 'Next row', mayRepeat: true, act: () => move(1) },
    { keys: 'k', label: 'Previous row', mayRepeat: true, act: () => move(-1) },
    ...(isSelectable ? [{ keys: 'x', label: 'Select the row', act: select }] : []),
    ...(isSearched ? [{ keys: '/', label: 'Search', act: () => field.current?.focus() }] : []),
  ])
}
