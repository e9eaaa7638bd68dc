import { limits } from '@atrium/contract/limits.ts'
import { Skeleton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { useIsCompact } from '../layout/use-is-phone.ts'
import { LiveItem, LiveRow } from '../money/while-visible.ts'
import parts from './data-table.module.css'

export type Column<Row> = {
  key: string
  header: string
  render: (row: Row) => ReactNode
  align?: 'left' | 'right'
  /** In the card layout: `top` is in the first line, `hidden` is omitted, `plain` has no name, others are named rows. */
  onPhone?: 'top' | 'row' | 'plain' | 'hidden'
  /** A share of the table's width, to align the columns of several tables. */
  width?: string
  /** The width of the loading skeleton. */
  skeletonWidth?: number
  /** The sort key of this column's head. */
  sortsBy?: string
  /** The column's cell in the totals row. */
  sum?: ReactNode
}

export type Sorting = { by: string; order: 'asc' | 'desc'; onSort: (by: string, order: 'asc' | 'desc') => void }

type DataTableProps<Row> = {
  label: string
  columns: Column<Row>[]
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  empty: ReactNode
  chosenKey?: string | undefined
  /** An element id, for other elements that reference a row by its content. */
  rowId?: (row: Row) => string
  /** Requires a cell with an OpenButton: for the keyboard and, on phones, for the whole card. */
  onOpen?: (row: Row) => void
  /** For sortable column heads; the card layout needs a separate control. */
  sorting?: Sorting
  /** The label of the totals row; the columns supply its cells. */
  sumsLabel?: string
  /** Rows have live metrics: they re-render only near the viewport. */
  isLive?: boolean
  /** Shown below an empty list too, so that the pager leads back from a page beyond the end. */
  footer?: ReactNode
}

const isOwnControl = (event: MouseEvent) => (event.target as Element).closest('a, button, input, label') !== null

/** A list declared by its columns: a table on wide screens, cards with the same order of facts on small ones. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isCompact = useIsCompact()
  return (
    <div className={parts.frame}>
      {props.rows?.length === 0 ? props.empty : isCompact ? <Cards {...props} /> : <Grid {...props} />}
      {props.rows && props.footer}
    </div>
  )
}

function Grid<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, rowId, chosenKey, onOpen, sorting, sumsLabel, isLive } = props
  const Line = isLive ? LiveRow : 'tr'
  return (
    <div className={parts.scroll}>
      <table className={parts.table} aria-label={label} aria-busy={rows === undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} className={sideOf(column)} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined && <LoadingSkeleton columns={columns} />}
          {rows?.map((row) => (
            <Line
              key={rowKey(row)}
              id={rowId?.(row)}
              data-row={rowKey(row)}
              tabIndex={-1}
              className={`${onOpen ? parts.open : ''} ${rowKey(row) === chosenKey ? parts.chosen : ''}`}
              onClick={onOpen && ((event: MouseEvent) => !isOwnControl(event) && onOpen(row))}
            >
              <Cells columns={columns} row={row} />
            </Line>
          ))}
        </tbody>
        {sumsLabel && (rows?.length ?? 0) > 0 && (
          <tfoot>
            <tr>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row">
                    {sumsLabel}
                  </th>
                ) : (
                  <td key={column.key} className={sideOf(column)}>
                    {column.sum}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

const sideOf = ({ align }: { align?: 'left' | 'right' }) => (align === 'right' ? parts.right : undefined)

type CellsProps<Row> = { columns: Column<Row>[]; row: Row }

/** A component of its own, so that a row that keeps its cells does not render them. */
function Cells<Row>({ columns, row }: CellsProps<Row>) {
  return columns.map((column) => (
    <td key={column.key} className={sideOf(column)}>
      {column.render(row)}
    </td>
  ))
}

type HeadProps<Row> = { column: Column<Row>; className: string | undefined; sorting: Sorting | undefined }

function Head<Row>({ column: { header, sortsBy, width }, className, sorting }: HeadProps<Row>) {
  if (sortsBy === undefined || !sorting)
    return (
      <th scope="col" className={className} style={width ? { width } : undefined}>
        {header}
      </th>
    )
  const isHere = sorting.by === sortsBy
  const isDown = sorting.order === 'desc'
  const Arrow = isDown ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" className={className} aria-sort={isHere ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={parts.sort}
        onClick={() => sorting.onSort(sortsBy, isHere && isDown ? 'asc' : 'desc')}
      >
        {header}
        {isHere && <Arrow size={14} stroke={1.5} aria-hidden />}
      </button>
    </th>
  )
}

const placeholders = Array.from({ length: limits.placeholderRows }, (_, index) => `placeholder-${index}`)

function LoadingSkeleton<Row>({ columns }: { columns: Column<Row>[] }) {
  return placeholders.map((placeholder) => (
    <tr key={placeholder} aria-hidden>
      {columns.map((column) => (
        <td key={column.key} className={sideOf(column)}>
          <Skeleton height={12} width={column.skeletonWidth ?? 80} display="inline-block" />
        </td>
      ))}
    </tr>
  ))
}

function Cards<Row>({ label, columns, rows, rowKey, rowId, sumsLabel, isLive }: DataTableProps<Row>) {
  const Item = isLive ? LiveItem : 'li'
  return (
    <ul data-plain aria-label={label} aria-busy={rows === undefined}>
      {rows === undefined &&
        placeholders.map((placeholder) => (
          <li key={placeholder} className={parts.card} aria-hidden>
            <Skeleton height={14} width="60%" />
            <Skeleton height={12} width="90%" />
            <Skeleton height={12} width="75%" />
          </li>
        ))}
      {rows?.map((row) => (
        <Item key={rowKey(row)} id={rowId?.(row)} data-row={rowKey(row)} className={parts.card} tabIndex={-1}>
          <CardCells columns={columns} row={row} />
        </Item>
      ))}
      {sumsLabel && (rows?.length ?? 0) > 0 && (
        <li className={`${parts.card} ${parts.sums}`}>
          <strong>{sumsLabel}</strong>
          {columns.map((column) => (
            <CardRow key={column.key} name={column.header} value={column.sum ?? null} />
          ))}
        </li>
      )}
    </ul>
  )
}

function CardCells<Row>({ columns, row }: CellsProps<Row>) {
  const top = columns.filter((column) => column.onPhone === 'top')
  const rest = columns.filter(({ onPhone = 'row' }) => onPhone === 'row' || onPhone === 'plain')
  return (
    <>
      <div data-group="md" data-nowrap data-align="center" data-justify="between">
        {top.map((column) => (
          <span key={column.key}>{column.render(row)}</span>
        ))}
      </div>
      {rest.map((column) => (
        <CardRow key={column.key} name={column.onPhone === 'plain' ? null : column.header} value={column.render(row)} />
      ))}
    </>
  )
}

/** Omitted without a value: a name alone would look like an error. */
function CardRow({ name, value }: { name: string | null; value: ReactNode }) {
  if (value === null) return null
  return (
    <div className={parts.cardRow}>
      {name !== null && <span className={parts.cardName}>{name}</span>}
      <span>{value}</span>
    </div>
  )
}

/** Opens a row: has an accessible name, and covers the whole card on phones. */
export function OpenButton({ children, name, onClick }: { children: ReactNode; name: string; onClick: () => void }) {
  return (
    <button type="button" data-opens className={parts.openButton} aria-label={name} onClick={onClick}>
      {children}
    </button>
  )
}

type LinkElement = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style'> & { ref?: Ref<HTMLAnchorElement> }

/** For a row with its own page: a link, so that it can be opened in a new tab. */
export const OpenLink = createLink(({ children, ...props }: LinkElement) => (
  <a {...props} className={parts.openButton}>
    {children}
  </a>
))
