import type { ListDeclaration } from '@atrium/contract/list.ts'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { ErrorState } from '../feedback/error-state.tsx'
import { Callout } from '../feedback/state.tsx'
import { FormSkeleton } from '../forms/form-skeleton.tsx'
import { BackLink } from '../layout/back-link.tsx'
import { bringIntoView } from '../layout/bring-into-view.ts'
import { Panes } from '../layout/panes.tsx'
import { useIsWide } from '../layout/use-is-phone.ts'
import styles from '../layout/work-rows.module.css'
import { useInSlices } from '../lazy/use-in-slices.ts'
import { time } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import { adjacentRow, rowAfter } from './adjacent-row.ts'
import { countShown } from './count-shown.ts'
import { type ListSearch, withFilter } from './list-address.ts'
import { isSearched, ListBar, type ListControls } from './list-bar.tsx'
import type { ListPage, ListSource } from './list-query.ts'
import { RowSelect, SelectionBar } from './list-selection.tsx'
import { ListEmpty, ListPages } from './paging/list-pages.tsx'
import parts from './pane-list.module.css'
import shared from './tabs.module.css'
import { useFirstRow } from './use-first-row.ts'
import { type ListState, useList, useListKeys } from './use-list.ts'
import { rowIdOf } from './use-selection.ts'

/** A filter shown as tabs, each with its count. */
type ListTabs<List extends ListDeclaration, Answer> = {
  filter: keyof List['filters'] & string
  label: string
  labels: Record<string, { label: string }>
  counts: (answer: Answer) => Record<string, number | string>
}

type PaneListProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  source: ListSource<List, Row, Answer>
  /** The page's address, and the name of its parameter for the selected row. */
  to: string
  param: string
  /** The format of the parameter; any other text opens no row. */
  idShape?: RegExp
  label: string
  /** The pane's label, if it differs from the list's. */
  paneLabel?: string
  detailLabel: string
  tabs?: ListTabs<List, Answer>
  controls: ListControls<List, Answer>
  /** Shown beside the pager. */
  counted?: (answer: Answer) => ReactNode
  empty: (search: ListSearch<List>) => ReactNode
  /** The text displayed when no row matches the filters. */
  noMatches?: string
  /** Actions on the list as a whole. */
  tools?: (answer: Answer | undefined, search: ListSearch<List>) => ReactNode
  /** The content of a row's link. */
  row: (row: Row, search: ListSearch<List>, answer: Answer) => ReactNode
  /** The row that opens by itself; defaults to the first. */
  isFirst?: (row: Row) => boolean
  /** `proceed`: opens the next row after a decision. */
  detail: (id: string, proceed: () => void, search: ListSearch<List>) => ReactNode
}

/** A declared list with the selected row's detail beside it. The address holds the state. */
export function PaneList<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  props: PaneListProps<List, Row, Answer>,
) {
  const {
    source,
    to,
    param,
    label,
    paneLabel = label,
    detailLabel,
    tabs,
    controls,
    tools,
    isFirst,
    detail,
    idShape,
  } = props
  const { t } = useTranslation()
  const isWide = useIsWide()
  const navigate = useNavigate()
  const asked = (useParams({ strict: false }) as Record<string, string | undefined>)[param]
  const chosenId = asked !== undefined && (idShape?.test(asked) ?? true) ? asked : undefined
  const place = (id?: string) => ({ to: to as '/', params: { [param]: id } as never })
  const at = useList(source, { ...place(), isReplacing: true })
  const { search, page } = at
  // Rows of another tab are never shown while the new ones load.
  const isOther = tabs !== undefined && page.data?.search[tabs.filter] !== search[tabs.filter]
  const data = useInSlices(isOther ? undefined : page.data)
  const first = data && [...(isFirst ? data.rows.filter(isFirst) : []), ...data.rows]
  const firstId = useFirstRow({ name: JSON.stringify(search), rows: first, isOld: page.isPlaceholderData })
  const shownId = chosenId ?? (isWide ? firstId : undefined)
  const ids = data?.rows.map(({ _id }) => _id) ?? []
  // A dialog calls back after its fade-out with stale values, so this ref holds the latest ones.
  const latest = useRef({ ids, shownId, index: 0 })
  const index = shownId === undefined ? -1 : ids.indexOf(shownId)
  latest.current = { ids, shownId, index: index < 0 ? latest.current.index : index }
  const open = (id: string | undefined, replace: boolean) => {
    void navigate({ ...place(id), search: search as never, replace })
    const row = id && document.getElementById(rowIdOf(id))
    if (!row) return
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  }
  const move = (step: 1 | -1) => {
    const id = adjacentRow({ ...latest.current, step })
    if (id && id !== shownId) open(id, chosenId !== undefined)
  }
  const proceed = () => open(rowAfter(latest.current), true)
  useListKeys(label, { ...at, isSearched: isSearched(controls), move, here: () => shownId })
  return (
    <Panes
      bar={
        <>
          {tabs && <Tabs {...{ tabs, at, place }} />}
          <div className={parts.tools}>
            <ListBar at={at} controls={controls}>
              {tools?.(data?.answer, search)}
            </ListBar>
          </div>
        </>
      }
      listLabel={paneLabel}
      list={
        page.isError && !page.data ? (
          <ErrorState error={page.error} holds={t('Nothing was changed.')} onRetry={() => page.refetch()} />
        ) : data ? (
          <Rows {...props} {...{ at, data, place, shownId }} />
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
          {shownId && detail(shownId, proceed, search)}
        </>
      }
    />
  )
}

type Place = (id?: string) => { to: '/'; params: never }

type TabsProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  tabs: ListTabs<List, Answer>
  at: ListState<List, Row, Answer>
  place: Place
}

function Tabs<List extends ListDeclaration, Row extends { _id: string }, Answer>(props: TabsProps<List, Row, Answer>) {
  const { tabs, at, place } = props
  const { list, search, page } = at
  const { t, i18n } = useTranslation()
  const filter = list.filters[tabs.filter]
  const here = search[tabs.filter] ?? (filter?.kind === 'choice' ? (filter.first?.(search) ?? filter.usual) : undefined)
  const counts = page.data && tabs.counts(page.data.answer)
  const count = (value: string) => {
    const number = counts?.[value]
    return typeof number === 'number' ? countShown(number, i18n.language) : number
  }
  return (
    <nav className={`${shared.tabs} ${parts.tabs}`} aria-label={t(tabs.label)}>
      {Object.entries(tabs.labels).map(([value, { label }]) => (
        <Link
          key={value}
          ref={value === here ? bringIntoView : undefined}
          {...place()}
          search={withFilter(list, search, { [tabs.filter]: value } as never) as never}
          className={`${shared.tab} ${value === here ? shared.here : ''}`}
          aria-current={value === here ? 'page' : undefined}
        >
          {t(label)}
          {(!counts || value in counts) && <span className={shared.count}>{counts ? count(value) : '\u2007'}</span>}
        </Link>
      ))}
    </nav>
  )
}

type RowsProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  at: ListState<List, Row, Answer>
  label: string
  tabs?: { filter: string } | undefined
  data: ListPage<Row, Answer>
  shownId: string | undefined
  place: Place
  counted?: ((answer: Answer) => ReactNode) | undefined
  empty: (search: ListSearch<List>) => ReactNode
  noMatches?: string | undefined
  row: (row: Row, search: ListSearch<List>, answer: Answer) => ReactNode
}

function Rows<List extends ListDeclaration, Row extends { _id: string }, Answer>(props: RowsProps<List, Row, Answer>) {
  const { at, label, tabs, data, shownId, place, counted, empty, noMatches, row } = props
  const { search, selection, page, saveSelected } = at
  const { t } = useTranslation()
  if (data.rows.length === 0)
    return (
      <ListEmpty at={at} tab={tabs?.filter} noMatches={noMatches}>
        {empty(search)}
      </ListEmpty>
    )
  return (
    <>
      {page.isError && (
        <div className={parts.foot}>
          <Callout meaning="amber">
            {t('Not refreshed since {{time}}. Trying again.', { time: time(page.dataUpdatedAt) })}
          </Callout>
        </div>
      )}
      {selection.isOn && (
        <div className={parts.foot}>
          <SelectionBar selection={selection} page={data.rows} save={saveSelected} />
        </div>
      )}
      <div className={parts.rows}>
        <ul data-plain aria-label={label} aria-busy={page.isPlaceholderData}>
          {data.rows.map((each) => (
            <li key={each._id} className={parts.row} data-group="none" data-nowrap>
              {selection.isOn && <RowSelect selection={selection} id={each._id} />}
              <Link
                id={rowIdOf(each._id)}
                {...place(each._id)}
                search={search as never}
                className={`${styles.row} ${each._id === shownId ? styles.chosen : ''}`}
                aria-current={each._id === shownId ? 'true' : undefined}
              >
                {row(each, search, data.answer)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div className={parts.foot}>
        <ListPages at={at}>{counted?.(data.answer)}</ListPages>
      </div>
    </>
  )
}
