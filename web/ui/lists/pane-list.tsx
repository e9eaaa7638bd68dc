import type { FiltersOf, ListDeclaration } from '@atrium/contract/list.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../feedback/error-state.tsx'
import { Turning } from '../feedback/turning.tsx'
import { FormSkeleton } from '../forms/form-skeleton.tsx'
import { useIsLeaving } from '../forms/use-is-leaving.ts'
import { BackLink } from '../layout/back-link.tsx'
import { bringIntoView } from '../layout/bring-into-view.ts'
import { useKeys } from '../layout/keyboard.tsx'
import { Panes } from '../layout/panes.tsx'
import { useIsWide } from '../layout/use-is-phone.ts'
import looks from '../layout/work-rows.module.css'
import { EmptiedPage, isLaterPage } from './emptied-page.tsx'
import { filtersOf, isFiltered, type ListSearch, readListSearch, withFilter } from './list-address.ts'
import { isSearched, ListBar, type ListControls } from './list-bar.tsx'
import { type ListPage, type ListSource, listQuery } from './list-query.ts'
import { RowSelect, rowIdOf, type Selection, SelectionBar, useSelection } from './list-selection.tsx'
import { SavedFilters } from './list-views.tsx'
import { NoMatches } from './no-matches.tsx'
import parts from './pane-list.module.css'
import shared from './tabs.module.css'
import { useFirstRow } from './use-first-row.ts'

/** A filter that is shown as tabs, with how many are behind each. */
type ListTabs<List extends ListDeclaration, Answer> = {
  filter: keyof List['filters'] & string
  label: string
  words: Record<string, { label: string }>
  counts: (answer: Answer) => Record<string, number | string>
}

type PaneListProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  source: ListSource<List, Row, Answer>
  /** The page's address, with the place of the row that is looked at by this name. */
  to: string
  param: string
  label: string
  /** What the pane is called, where it is not called as the list. */
  paneLabel?: string
  detailLabel: string
  tabs?: ListTabs<List, Answer>
  controls: ListControls<List, Answer>
  /** What stands beside the ways to other pages. */
  counted?: (answer: Answer) => ReactNode
  empty: (search: ListSearch<List>) => ReactNode
  tools?: ReactNode
  /** What stands in a row's link. */
  row: (row: Row) => ReactNode
  detail: (id: string) => ReactNode
}

/** A declared list with the row that is looked at beside it. Where somebody is stands in the address. */
export function PaneList<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  props: PaneListProps<List, Row, Answer>,
) {
  const { source, to, param, label, paneLabel = label, detailLabel, tabs, controls, tools, detail } = props
  const { list, save } = source
  const { t } = useTranslation()
  const isWide = useIsWide()
  const navigate = useNavigate()
  const search = readListSearch(list, useSearch({ strict: false }))
  const chosenId = (useParams({ strict: false }) as Record<string, string | undefined>)[param]
  const page = useQuery(listQuery(source, search))
  // Old rows never pass for those of another tab.
  const isOther = tabs !== undefined && page.data?.asked[tabs.filter] !== search[tabs.filter]
  const data = isOther ? undefined : page.data
  const firstId = useFirstRow({ name: JSON.stringify(search), rows: data?.rows, isOld: page.isPlaceholderData })
  const shownId = chosenId ?? (isWide ? firstId : undefined)
  const selection = useSelection(JSON.stringify(filtersOf(list, search)))
  const field = useRef<HTMLInputElement>(null)
  const place = (id?: string) => ({ to: to as '/', params: { [param]: id } as never })
  const isLeaving = useIsLeaving(to)
  const go = (next: ListSearch<List>, replace = true) => {
    // Words that come to rest while another page loads must not call anybody back.
    if (!isLeaving()) void navigate({ ...place(), search: next as never, replace })
  }
  const move = (step: 1 | -1) => {
    const ids = data?.rows.map(({ _id }) => _id) ?? []
    const at = shownId === undefined ? -1 : ids.indexOf(shownId)
    const id = at < 0 ? ids[step === 1 ? 0 : ids.length - 1] : ids[at + step]
    if (!id) return
    void navigate({ ...place(id), search: search as never, replace: chosenId !== undefined })
    const row = document.getElementById(rowIdOf(id))
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  useKeys(label, [
    { keys: 'j', words: 'Next row', mayRepeat: true, act: () => move(1) },
    { keys: 'k', words: 'Previous row', mayRepeat: true, act: () => move(-1) },
    { keys: 'x', words: 'Select the row', act: () => shownId && selection.turn(shownId) },
    ...(isSearched(controls) ? [{ keys: '/', words: 'Search', act: () => field.current?.focus() }] : []),
  ])
  const bar = (
    <>
      {tabs && <Tabs {...{ tabs, list, search, place }} counts={page.data && tabs.counts(page.data.answer)} />}
      <div className={parts.tools}>
        <ListBar
          {...{ list, search, controls, field }}
          answer={page.data?.answer}
          onSearch={go}
          save={save && ((tell) => save(listed(list, search, tabs), tell))}
          selection={save && selection}
        >
          {tools}
          <SavedFilters
            store={source.views}
            filters={filtersOf(list, search)}
            onApply={(saved) => go(readListSearch(list, saved))}
          />
        </ListBar>
      </div>
    </>
  )
  const saveSelected = () => save?.({ ...listed(list, search, tabs), ids: [...selection.ids].join(',') })
  return (
    <Panes
      bar={bar}
      listLabel={paneLabel}
      list={
        page.isError && !page.data ? (
          <ErrorState error={page.error} holds={t('Nothing was changed.')} onRetry={() => page.refetch()} />
        ) : data ? (
          <Rows
            {...props}
            {...{ data, search, selection, go, place, shownId, saveSelected }}
            isOld={page.isPlaceholderData}
          />
        ) : (
          <FormSkeleton label={t('Loading')} />
        )
      }
      detailLabel={detailLabel}
      detailOf={shownId}
      detail={
        <>
          {!isWide && (
            <div className={parts.back}>
              <BackLink {...place()} search={search as never}>
                {t('Back to the list')}
              </BackLink>
            </div>
          )}
          {shownId && detail(shownId)}
        </>
      }
    />
  )
}

/** What a table of the list holds: of tabs the one that is shown, which the call may have another word for than none. */
function listed<List extends ListDeclaration>(
  list: List,
  search: ListSearch<List>,
  tabs: { filter: string } | undefined,
): FiltersOf<List> {
  const filter = tabs && list.filters[tabs.filter]
  const usual = filter?.kind === 'choice' && tabs ? { [tabs.filter]: filter.usual } : {}
  return { ...usual, ...filtersOf(list, search) }
}

type Place = (id?: string) => { to: '/'; params: never }

type TabsProps<List extends ListDeclaration, Answer> = {
  tabs: ListTabs<List, Answer>
  list: List
  search: ListSearch<List>
  place: Place
  counts: Record<string, number | string> | undefined
}

function Tabs<List extends ListDeclaration, Answer>({ tabs, list, search, place, counts }: TabsProps<List, Answer>) {
  const { t } = useTranslation()
  const filter = list.filters[tabs.filter]
  const here = search[tabs.filter] ?? (filter?.kind === 'choice' ? filter.usual : undefined)
  return (
    <nav className={`${shared.tabs} ${parts.tabs}`} aria-label={t(tabs.label)}>
      {Object.entries(tabs.words).map(([value, { label }]) => (
        <Link
          key={value}
          ref={value === here ? bringIntoView : undefined}
          {...place()}
          search={withFilter(list, search, { [tabs.filter]: value } as never) as never}
          className={`${shared.tab} ${value === here ? shared.here : ''}`}
          aria-current={value === here ? 'page' : undefined}
        >
          {t(label)}
          <span className={shared.count}>{counts ? counts[value] : '\u2007'}</span>
        </Link>
      ))}
    </nav>
  )
}

type RowsProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  source: ListSource<List, Row, Answer>
  label: string
  tabs?: { filter: string } | undefined
  data: ListPage<Row, Answer>
  isOld: boolean
  search: ListSearch<List>
  shownId: string | undefined
  selection: Selection
  place: Place
  go: (next: ListSearch<List>, replace?: boolean) => void
  saveSelected: () => Promise<void> | undefined
  counted?: ((answer: Answer) => ReactNode) | undefined
  empty: (search: ListSearch<List>) => ReactNode
  row: (row: Row) => ReactNode
}

function Rows<List extends ListDeclaration, Row extends { _id: string }, Answer>(props: RowsProps<List, Row, Answer>) {
  const { source, label, data, isOld, search, shownId, selection, place, go, saveSelected } = props
  const { tabs, counted, empty, row } = props
  const { list } = source
  const tab = (tabs ? { [tabs.filter]: search[tabs.filter] } : {}) as ListSearch<List>
  const isNarrowed = isFiltered(list, { ...search, ...(tabs && { [tabs.filter]: undefined }) })
  if (data.rows.length === 0 && isLaterPage(search))
    return <EmptiedPage onStart={() => go(filtersOf(list, search) as ListSearch<List>)} />
  if (data.rows.length === 0) return isNarrowed ? <NoMatches onClear={() => go(tab)} /> : empty(search)
  return (
    <>
      {selection.isOn && (
        <div className={parts.foot}>
          <SelectionBar selection={selection} page={data.rows} save={async () => saveSelected()} />
        </div>
      )}
      <div className={parts.rows}>
        <ul className={looks.list} aria-label={label} aria-busy={isOld}>
          {data.rows.map((each) => (
            <li key={each._id} className={parts.row}>
              {selection.isOn && <RowSelect selection={selection} id={each._id} />}
              <Link
                id={rowIdOf(each._id)}
                {...place(each._id)}
                search={search as never}
                className={`${looks.row} ${each._id === shownId ? looks.chosen : ''}`}
                aria-current={each._id === shownId ? 'true' : undefined}
              >
                {row(each)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {(data.next ?? data.previous ?? counted) && (
        <div className={parts.foot}>
          <Turning
            marks={data}
            onTurn={(turn) => go({ ...filtersOf(list, search), ...turn } as ListSearch<List>, false)}
          >
            {counted?.(data.answer)}
          </Turning>
        </div>
      )}
    </>
  )
}
