import type { ListDeclaration } from '@atrium/contract/list.ts'
import type { ReactNode } from 'react'
import { WorkPage } from '../layout/work-page.tsx'
import { numberText } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import type { Column } from './data-table.tsx'
import type { ListSearch } from './list-address.ts'
import { isSearched, ListBar, type ListControls } from './list-bar.tsx'
import type { ListSource } from './list-query.ts'
import { ListRows } from './list-rows.tsx'
import { RowSelect, SelectionBar } from './list-selection.tsx'
import { useListViews } from './list-views.tsx'
import { ListPages } from './paging/list-pages.tsx'
import { useList } from './use-list.ts'

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
  const shown = numberText(`${data?.total ?? 0}`)
  const select: Column<Row> = {
    key: 'selected',
    header: t('Selected'),
    onPhone: 'top',
    skeletonWidth: 16,
    render: ({ _id }) => <RowSelect selection={selection} id={_id} />,
  }
  const shared = {
    at,
    label,
    holds: t('Nothing was changed.'),
    isSearched: isSearched(controls),
    empty: props.empty,
  }
  const content = (
    <>
      <ListBar at={at} controls={controls} columns={props.columns}>
        {tools?.(data?.answer, search)}
      </ListBar>
      {selection.isOn && <SelectionBar selection={selection} page={data?.rows ?? []} save={at.saveSelected} />}
      {props.columns ? (
        <ListRows
          {...shared}
          columns={[...(selection.isOn ? [select] : []), ...props.columns.filter(({ key }) => !hidden.includes(key))]}
          onOpen={props.onOpen}
        />
      ) : (
        <ListRows
          {...shared}
          row={(row) => (
            <>
              {selection.isOn && <RowSelect selection={selection} id={row._id} />}
              {data && props.row(row, data.answer)}
            </>
          )}
        />
      )}
      <ListPages at={at} labels={turns}>
        {counted && t(data?.isLeast ? counted.more : counted.all, { shown })}
      </ListPages>
    </>
  )
  return isPart ? content : <WorkPage help={help}>{content}</WorkPage>
}
