import { limits } from '@atrium/contract/limits.ts'
import type { ListDeclaration } from '@atrium/contract/list.ts'
import type { ReactNode } from 'react'
import { Turning } from '../../feedback/turning.tsx'
import { EmptiedPage, isLaterPage } from '../emptied-page.tsx'
import { isFiltered, type ListSearch } from '../list-address.ts'
import { NoMatches } from '../no-matches.tsx'
import { type ListState, pageSize } from '../use-list.ts'
import { PagerBar } from './pager-bar.tsx'

type At<List extends ListDeclaration, Row extends { _id: string }, Answer> = { at: ListState<List, Row, Answer> }

/** Navigation to the other pages: by number, or to the previous and next page, depending on the list. */
export function ListPages<List extends ListDeclaration, Row extends { _id: string }, Answer>({
  at: { list, page, search, filters, go },
  words,
  children,
}: At<List, Row, Answer> & { words?: 'times' | undefined; children?: ReactNode }) {
  const { data } = page
  if (!data || data.rows.length === 0) return null
  const turn = (to: object) => go({ ...filters, ...to } as ListSearch<List>, false)
  if (list.isNumbered) {
    const total = data.total ?? 0
    const { total_is_least: isLeast = total >= limits.countedMax } = data.answer as { total_is_least?: boolean }
    if (total <= pageSize && !search.page) return null
    return (
      <PagerBar page={search.page ?? 1} size={pageSize} onPage={(page) => turn({ page })} {...{ total, isLeast }} />
    )
  }
  if (!data.next && !data.previous && !children) return null
  return (
    <Turning marks={data} {...(words && { words })} onTurn={turn}>
      {children}
    </Turning>
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
  const tabOnly = (tab ? { [tab]: search[tab] } : {}) as ListSearch<List>
  const isNarrowed = isFiltered(list, { ...filters, ...(tab && { [tab]: undefined }) } as ListSearch<List>)
  return isNarrowed ? <NoMatches text={noMatches} onClear={() => go(tabOnly)} /> : children
}
