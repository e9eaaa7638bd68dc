import type { Call } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { type FiltersOf, type ListDeclaration, marksOf, type RowsOf } from '@atrium/contract/list.ts'
import { type ListViewChange, readListView, saveListView } from '@atrium/contract/staff/list-views.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { saveTable } from './save-table.ts'
import { call } from './transport.ts'

type RowOf<List extends ListDeclaration, Answer> = Answer extends Record<RowsOf<List>, (infer Row)[]> ? Row : never
type Marks = { next: string | null; previous: string | null; total?: number; isLeast?: boolean }
type Page<Row, Answer> = Marks & { rows: Row[]; answer: Answer }

type Options<Row, Answer, Asked> = {
  /** The interval after which a list with these rows refreshes. */
  refreshMs?: (rows: Row[]) => number | false
  /** Updates other cached data from the answer. */
  onAnswer?: (answer: Answer, client: QueryClient, asked: Asked) => void
  /** Inputs of the call that do not depend on the URL. */
  fixed?: Record<string, string>
  /** False if a row has no id by which its table can be exported. */
  isSelectable?: boolean
}

/** The data source of a declared list: its calls and its cache key. */
export function listSource<const List extends ListDeclaration, Answered extends z.ZodType>(
  list: List,
  calls: { list: Call<z.ZodType, Answered>; table?: Call },
  {
    refreshMs,
    onAnswer,
    fixed,
    isSelectable = true,
  }: Options<RowOf<List, z.output<Answered>>, z.output<Answered>, FiltersOf<List>> = {},
) {
  type Answer = z.output<Answered>
  type Row = RowOf<List, Answer>
  type Asked = FiltersOf<List> & {
    after?: string | undefined
    before?: string | undefined
    page?: number | undefined
    limit?: number
  }
  const { table } = calls
  return {
    list,
    key: ['desk', list.name, ...Object.values(fixed ?? {})].join('-'),
    async ask(asked: Asked, client: QueryClient): Promise<Page<Row, Answer>> {
      const answer = await call(calls.list, { ...asked, ...marksOf(list, asked), ...fixed })
      onAnswer?.(answer, client, asked)
      const { next = null, previous = null, total = 0, ...rest } = answer as Partial<Marks> & Record<string, Row[]>
      const { total_is_least: isCut = total >= limits.countedMax } = answer as { total_is_least?: boolean }
      const rows = rest[list.rows ?? list.name] ?? []
      // The last page of a numbered list shows how many rows there are, however far the server counts.
      const isLeast = isCut && !(list.isNumbered && rows.length > 0 && next === null)
      return { rows, next, previous, total, isLeast, answer }
    },
    refreshMs,
    // Only a table can export the selected rows.
    isSelectable: isSelectable && table !== undefined,
    views: calls.list.pageOf && {
      key: list.name,
      read: () => call(readListView, { list: list.name }),
      save: (change: ListViewChange) => call(saveListView, { ...change, list: list.name }),
    },
    save:
      table &&
      ((input: FiltersOf<List> & { ids?: string }, onBytes?: (bytes: number) => void) =>
        saveTable(table.path, { ...input, ...fixed }, `${list.file ?? list.name}.csv`, onBytes)),
  }
}
