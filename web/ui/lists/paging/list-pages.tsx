import type { ListDeclaration } from '@atrium/contract/list.ts'
import type { ReactNode } from 'react'
import { CursorPager } from '../../feedback/cursor-pager.tsx'
import { EmptiedPage, isLaterPage } from '../emptied-page.tsx'
import { countFilters, type ListSearch, withoutFilters } from '../list-address.ts'
import { NoMatches } from '../no-matches.tsx'
import type { ListState } from '../use-list.ts'
import { PagerBar } from './pager-bar.tsx'

type At<List extends ListDeclaration, Row extends { _id: string }, Answer> = { at: ListState<List, Row, Answer> }

type PagesProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = At<List, Row, Answer> & {
  labels?: 'times' | undefined
  /** Shows the count of numbered rows on a single page too. */
  isCountShown?: boolean
  children?: ReactNode
}

/** Navigation to the other pages: by number, or to the previous and next page, depending on the list. */
export function ListPages<List extends ListDeclaration, Row extends { _id: string }, Answer>({
  at: { list, page, search, filters, size, go },
  labels,
  isCountShown = false,
  children,
}: PagesProps<List, Row, Answer>) {
  const { data } = page
  if (!data || data.rows.length === 0) return null
  const turn = (to: object) => go({ ...filters, ...to } as ListSearch<List>, false)
  if (list.isNumbered) {
    const { total = 0, isLeast = false } = data
    if (total <= size && !search.page && !isCountShown) return null
    return <PagerBar page={search.page ?? 1} onPage={(page) => turn({ page })} {...{ size, total, isLeast }} />
  }
  if (!data.next && !data.previous && !children) return null
  return (
    <CursorPager marks={data} {...(labels && { labels })} onTurn={turn}>
      {children}
    </CursorPager>
  )
}

/** Displayed instead of rows: an emptied page, no matches, or an empty list. */
export function ListEmpty<List extends ListDeclaration, Row extends { _id: string }, Answer>({
  at: { list, search, filters, go },
  tab,
  noMatches,
  children,
}: At<List, Row, Answer> & { tab?: string | undefined; noMatches?: string | undefined; children: ReactNode }) {
  if (isLaterPage(search)) return <EmptiedPage onStart={() => go(filters as ListSearch<List>)} />
  if (countFilters(list, search, tab) === 0) return children
  return <NoMatches text={noMatches} onClear={() => go(withoutFilters(list, search, tab))} />
}
