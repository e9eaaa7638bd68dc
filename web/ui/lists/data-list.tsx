import { limits } from '@atrium/contract/limits.ts'
import type { ListDeclaration } from '@atrium/contract/list.ts'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../feedback/error-state.tsx'
import { Turning } from '../feedback/turning.tsx'
import { useIsLeaving } from '../forms/use-is-leaving.ts'
import { useKeys } from '../layout/keyboard.tsx'
import { Card } from '../layout/page.tsx'
import { WorkPage } from '../layout/work-page.tsx'
import { numberText } from '../text/format.ts'
import parts from './data-list.module.css'
import { type Column, DataTable } from './data-table.tsx'
import { EmptiedPage, isLaterPage } from './emptied-page.tsx'
import { filtersOf, isFiltered, type ListSearch, readListSearch } from './list-address.ts'
import { isSearched, ListBar, type ListControls } from './list-bar.tsx'
import { type ListSource, listQuery } from './list-query.ts'
import { RowSelect, rowIdOf, type Selection, SelectionBar, useSelection } from './list-selection.tsx'
import { ColumnChoice, SavedFilters, useListViews } from './list-views.tsx'
import { NoMatches } from './no-matches.tsx'

type DataListProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  source: ListSource<List, Row, Answer>
  /** The page's own address. */
  to: string
  label: string
  help?: string
  controls: ListControls<List, Answer>
  /** How many there are, with `{{shown}}`; `more` where it was not counted to the end. */
  counted?: { all: string; more: string }
  turns?: 'times'
  empty: ReactNode
  /** What can be done about the list as a whole. */
  tools?: (answer: Answer | undefined, search: ListSearch<List>) => ReactNode
} & (
  | { row: (row: Row, answer: Answer) => ReactNode; columns?: never; onOpen?: never }
  | { columns: Column<Row>[]; onOpen: (row: Row) => void; row?: never }
)

/** A list of the desk as it is declared: filters and page in the address, keyboard, selection, table, and every state of it. */
export function DataList<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  props: DataListProps<List, Row, Answer>,
) {
  const { source, to, label, help, controls, counted, turns, tools } = props
  const { list } = source
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isLeaving = useIsLeaving(to)
  const search = readListSearch(list, useSearch({ strict: false }))
  const page = useQuery(listQuery(source, search))
  const { data } = page
  const selection = useSelection(JSON.stringify(filtersOf(list, search)))
  const { hidden } = useListViews(source.views, props.columns !== undefined)
  const field = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const go = (next: ListSearch<List>) => {
    // Words that come to rest while another page loads must not call anybody back.
    if (!isLeaving()) void navigate({ to: to as '/', search: next as never })
  }
  useListKeys(label, { frame, field, selection, isSearched: isSearched(controls) })
  const isFailed = page.isError && !data
  const shown = numberText(`${data?.total ?? 0}`)
  const { save } = source
  return (
    <WorkPage help={help}>
      <ListBar
        list={list}
        search={search}
        answer={data?.answer}
        controls={controls}
        field={field}
        onSearch={go}
        save={save && ((tell) => save(filtersOf(list, search), tell))}
        selection={save && selection}
      >
        {tools?.(data?.answer, search)}
        <SavedFilters
          store={source.views}
          filters={filtersOf(list, search)}
          onApply={(saved) => go(readListSearch(list, saved))}
        />
        {props.columns && <ColumnChoice store={source.views} columns={props.columns} />}
      </ListBar>
      {selection.isOn && save && (
        <SelectionBar
          selection={selection}
          page={data?.rows ?? []}
          save={() => save({ ...filtersOf(list, search), ids: [...selection.ids].join(',') })}
        />
      )}
      <div ref={frame}>
        {isFailed ? (
          <Card>
            <ErrorState error={page.error} holds={t('Nothing was changed.')} onRetry={() => page.refetch()} />
          </Card>
        ) : (
          <Rows
            label={label}
            rows={data?.rows}
            isOld={page.isPlaceholderData}
            selection={selection}
            row={(row) => data && props.row?.(row, data.answer)}
            columns={props.columns?.filter(({ key }) => !hidden.includes(key))}
            onOpen={props.onOpen}
          >
            {isLaterPage(search) ? (
              <EmptiedPage onStart={() => go(filtersOf(list, search) as ListSearch<List>)} />
            ) : isFiltered(list, search) ? (
              <NoMatches onClear={() => go({} as ListSearch<List>)} />
            ) : (
              props.empty
            )}
          </Rows>
        )}
      </div>
      {data && data.rows.length > 0 && (counted ?? data.next ?? data.previous) && (
        <Turning
          marks={data}
          {...(turns && { words: turns })}
          onTurn={(turn) => go({ ...filtersOf(list, search), ...turn } as ListSearch<List>)}
        >
          {counted && t((data.total ?? 0) >= limits.countedMax ? counted.more : counted.all, { shown })}
        </Turning>
      )}
    </WorkPage>
  )
}

type RowsProps<Row> = {
  label: string
  rows: Row[] | undefined
  isOld: boolean
  selection: Selection
  row?: ((row: Row) => ReactNode) | undefined
  columns?: Column<Row>[] | undefined
  onOpen?: ((row: Row) => void) | undefined
  /** What stands there when there are none. */
  children: ReactNode
}

const skeleton = ['first', 'second', 'third', 'fourth', 'fifth']

function Rows<Row extends { _id: string }>(props: RowsProps<Row>) {
  const { label, rows, isOld, selection, row, columns, onOpen, children } = props
  const { t } = useTranslation()
  if (columns) {
    const select: Column<Row> = {
      key: 'selected',
      header: t('Selected'),
      onPhone: 'top',
      bone: 16,
      render: ({ _id }) => <RowSelect selection={selection} id={_id} />,
    }
    return (
      <DataTable
        label={label}
        columns={selection.isOn ? [select, ...columns] : columns}
        rows={rows}
        rowKey={({ _id }) => _id}
        rowId={({ _id }) => rowIdOf(_id)}
        {...(onOpen && { onOpen })}
        empty={children}
      />
    )
  }
  if (rows?.length === 0) return <Card>{children}</Card>
  return (
    <Card>
      <ul className={parts.list} aria-label={label} aria-busy={!rows || isOld}>
        {rows?.map((each) => (
          <li key={each._id} id={rowIdOf(each._id)} data-row={each._id} className={parts.entry} tabIndex={-1}>
            {selection.isOn && <RowSelect selection={selection} id={each._id} />}
            {row?.(each)}
          </li>
        )) ??
          skeleton.map((bone) => (
            <li key={bone} className={parts.bone} aria-hidden>
              <Skeleton height={12} width="40%" mb={8} />
              <Skeleton height={10} width="60%" />
            </li>
          ))}
      </ul>
    </Card>
  )
}

type Keyed = {
  frame: { current: HTMLElement | null }
  field: { current: HTMLInputElement | null }
  selection: Selection
  isSearched: boolean
}

/** The same keys in every list. They move the focus, so that a reader says what is there. */
function useListKeys(label: string, { frame, field, selection, isSearched }: Keyed): void {
  const rows = () => [...(frame.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const here = () => rows().findIndex((row) => row.contains(document.activeElement))
  const move = (step: 1 | -1) => {
    const row = rows()[here() < 0 ? 0 : here() + step]
    // What opens it, so that Enter does; nothing that decides about it.
    ;(row?.querySelector<HTMLElement>('a, [data-opens]') ?? row)?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  const select = () => {
    const id = rows()[here()]?.dataset.row
    if (id) selection.turn(id)
  }
  useKeys(label, [
    { keys: 'j', words: 'Next row', mayRepeat: true, act: () => move(1) },
    { keys: 'k', words: 'Previous row', mayRepeat: true, act: () => move(-1) },
    { keys: 'x', words: 'Select the row', act: select },
    ...(isSearched ? [{ keys: '/', words: 'Search', act: () => field.current?.focus() }] : []),
  ])
}
