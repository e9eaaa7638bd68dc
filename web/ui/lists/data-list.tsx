import { limits } from '@atrium/contract/limits.ts'
import type { ListDeclaration } from '@atrium/contract/list.ts'
import { Skeleton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { ErrorState } from '../feedback/error-state.tsx'
import { Card } from '../layout/page.tsx'
import { WorkPage } from '../layout/work-page.tsx'
import { numberText } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import parts from './data-list.module.css'
import { type Column, DataTable } from './data-table.tsx'
import type { ListSearch } from './list-address.ts'
import { isSearched, ListBar, type ListControls } from './list-bar.tsx'
import type { ListSource } from './list-query.ts'
import { RowSelect, rowIdOf, type Selection, SelectionBar } from './list-selection.tsx'
import { useListViews } from './list-views.tsx'
import { ListEmpty, ListPages } from './paging/list-pages.tsx'
import { useList, useListKeys } from './use-list.ts'

type DataListProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  source: ListSource<List, Row, Answer>
  /** The page's own address. */
  to: string
  params?: object
  label: string
  help?: string
  /** The list is part of a page that already has a frame. */
  isPart?: boolean
  controls: ListControls<List, Answer>
  /** The count with `{{shown}}`; `more` is used when counting stopped early. */
  counted?: { all: string; more: string }
  turns?: 'times'
  empty: ReactNode
  /** Actions on the list as a whole. */
  tools?: (answer: Answer | undefined, search: ListSearch<List>) => ReactNode
} & (
  | { row: (row: Row, answer: Answer) => ReactNode; columns?: never; onOpen?: never }
  | { columns: Column<Row>[]; onOpen?: (row: Row) => void; row?: never }
)

/** A declared list: filters and page in the URL, keyboard navigation, selection, table, and all states. */
export function DataList<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  props: DataListProps<List, Row, Answer>,
) {
  const { source, to, params, label, help, isPart, controls, counted, turns, tools } = props
  const { t } = useTranslation()
  const at = useList(source, { to, ...(params && { params }) })
  const { page, selection, search } = at
  const { data } = page
  const { hidden } = useListViews(source.views, props.columns !== undefined)
  const frame = useRef<HTMLDivElement>(null)
  useListKeys(label, { ...at, isSearched: isSearched(controls), ...focusIn(frame) })
  const shown = numberText(`${data?.total ?? 0}`)
  const content = (
    <>
      <ListBar at={at} controls={controls} columns={props.columns}>
        {tools?.(data?.answer, search)}
      </ListBar>
      {selection.isOn && <SelectionBar selection={selection} page={data?.rows ?? []} save={at.saveSelected} />}
      <div ref={frame}>
        {page.isError && !data ? (
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
            <ListEmpty at={at}>{props.empty}</ListEmpty>
          </Rows>
        )}
      </div>
      <ListPages at={at} words={turns}>
        {counted && t((data?.total ?? 0) >= limits.countedMax ? counted.more : counted.all, { shown })}
      </ListPages>
    </>
  )
  return isPart ? content : <WorkPage help={help}>{content}</WorkPage>
}

type RowsProps<Row> = {
  label: string
  rows: Row[] | undefined
  isOld: boolean
  selection: Selection
  row?: ((row: Row) => ReactNode) | undefined
  columns?: Column<Row>[] | undefined
  onOpen?: ((row: Row) => void) | undefined
  /** The empty state. */
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

/** The focused row, and focus movement to its neighbours. */
function focusIn(frame: { current: HTMLElement | null }) {
  const rows = () => [...(frame.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const at = () => rows().findIndex((row) => row.contains(document.activeElement))
  return {
    here: () => rows()[at()]?.dataset.row,
    move(step: 1 | -1) {
      const row = rows()[at() < 0 ? 0 : at() + step]
      // Focuses the element that opens the row, so that Enter opens it; never an element that decides about it.
      ;(row?.querySelector<HTMLElement>('a, [data-opens]') ?? row)?.focus({ preventScroll: true })
      row?.scrollIntoView({ block: 'nearest' })
    },
  }
}
