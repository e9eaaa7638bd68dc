import type { ListDeclaration } from '@atrium/contract/list.ts'
import { Skeleton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { ErrorState } from '../feedback/error-state.tsx'
import { Keyboard } from '../layout/keyboard.tsx'
import { Card } from '../layout/page.tsx'
import { useInSlices } from '../lazy/use-in-slices.ts'
import parts from './data-list.module.css'
import { type Column, DataTable, type Sorting } from './data-table.tsx'
import { ListEmpty } from './paging/list-pages.tsx'
import { type ListState, useListKeys } from './use-list.ts'
import { rowIdOf } from './use-selection.ts'

type ListRowsProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  at: ListState<List, Row, Answer>
  label: string
  /** The rows, where they are not those of the page. */
  rows?: Row[] | undefined
  /** What an error did not change. */
  holds?: string
  /** Whether `/` moves the focus to a search field. */
  isSearched?: boolean
  /** The filter that is shown as tabs. */
  tab?: string
  noMatches?: string
  empty: ReactNode
} & (
  | { row: (row: Row) => ReactNode; columns?: never }
  | {
      columns: Column<Row>[]
      row?: never
      onOpen?: ((row: Row) => void) | undefined
      chosenKey?: string | undefined
      sorting?: Sorting
      sumsLabel?: string | undefined
      footer?: ReactNode
    }
)

/** The rows of a declared list, as a table or one below the other, with its error, its empty state and its keys. */
export function ListRows<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  props: ListRowsProps<List, Row, Answer>,
) {
  return (
    <Keyboard>
      <KeyedRows {...props} />
    </Keyboard>
  )
}

function KeyedRows<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  props: ListRowsProps<List, Row, Answer>,
) {
  const { at, label, holds, isSearched = false, tab, noMatches } = props
  const { page } = at
  // Rows of another tab are never shown while the new ones load.
  const isOther = tab !== undefined && page.data?.search[tab] !== (at.search as Record<string, unknown>)[tab]
  const loaded = 'rows' in props ? props.rows : isOther ? undefined : at.rows
  const rows = useInSlices(loaded)
  const frame = useRef<HTMLDivElement>(null)
  useListKeys(label, { ...at, isSearched, ...focusIn(frame) })
  if (page.isError && !page.data)
    return (
      <Card>
        <ErrorState error={page.error} {...(holds && { holds })} onRetry={() => page.refetch()} />
      </Card>
    )
  const empty = <ListEmpty {...{ at, tab, noMatches }}>{props.empty}</ListEmpty>
  if (props.row)
    return (
      <div ref={frame}>
        <Card>
          {rows?.length === 0 ? empty : <Lines {...{ label, rows }} isOld={page.isPlaceholderData} row={props.row} />}
        </Card>
      </div>
    )
  const { columns, onOpen, chosenKey, sorting, sumsLabel, footer } = props
  return (
    <div ref={frame}>
      <DataTable
        {...{ label, columns, rows, chosenKey, empty, footer }}
        rowKey={({ _id }) => _id}
        rowId={({ _id }) => rowIdOf(_id)}
        {...(onOpen && { onOpen })}
        {...(sorting && { sorting })}
        {...(sumsLabel && { sumsLabel })}
      />
    </div>
  )
}

const skeleton = ['first', 'second', 'third', 'fourth', 'fifth']

type LinesProps<Row> = {
  label: string
  rows: Row[] | undefined
  isOld: boolean
  row: (row: Row) => ReactNode
}

function Lines<Row extends { _id: string }>({ label, rows, isOld, row }: LinesProps<Row>) {
  return (
    <ul className={parts.list} aria-label={label} aria-busy={!rows || isOld}>
      {rows?.map((each) => (
        <li key={each._id} id={rowIdOf(each._id)} data-row={each._id} className={parts.entry} tabIndex={-1}>
          {row(each)}
        </li>
      )) ??
        skeleton.map((key) => (
          <li key={key} data-pad="md lg" aria-hidden>
            <Skeleton height={12} width="40%" mb={8} />
            <Skeleton height={10} width="60%" />
          </li>
        ))}
    </ul>
  )
}

/** The focused row, and how the focus moves to its neighbours. */
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
