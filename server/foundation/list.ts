import { limits } from '@atrium/contract/limits.ts'
import { type FiltersOf, type ListDeclaration, marksOf, type RowsOf } from '@atrium/contract/list.ts'
import type { DeskRight } from '@atrium/contract/staff/rights.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { authorizeStaff, type Staff } from './actor.ts'
import { audit } from './audit.ts'
import { type Cell, writeTable } from './csv.ts'
import { inTransaction, listing, reading, type Tx } from './database/database.ts'
import { cutPage, type Page, readMark, readTimeMark } from './database/page-mark.ts'
import { readAtOneMoment } from './database/scoped-reads.ts'

export type Condition = RawBuilder<SqlBool>
/** A SQL condition on a row. */
export const condition = sql<SqlBool>

/** Any Kysely select. */
type Select<Found> = {
  where(condition: RawBuilder<SqlBool>): Select<Found>
  orderBy(column: RawBuilder<unknown>, direction: 'asc' | 'desc'): Select<Found>
  limit(rows: number): Select<Found>
  offset(rows: number): Select<Found>
  execute(): Promise<Found[]>
}

type Direction = 'asc' | 'desc'
type SortColumn = string | RawBuilder<unknown>
/** The column that orders a list, or an expression, and its value in a row: a time (`at`) or a text. Ids sort by time. */
type Sort<Row> = { direction: Direction } & (
  | { column: SortColumn; at: (row: Row) => number }
  | { column: SortColumn; text: (row: Row) => string }
  | { isById: true }
)

export type Column<Row> = readonly [head: string, cell: (row: Row) => Cell]

type TableOf<Row> = {
  heads: readonly string[]
  cells: (tx: Tx, rows: Row[]) => Promise<(readonly Cell[])[]> | (readonly Cell[])[]
}

type At<Filter, Known = unknown> = { tx: Tx; staff: Staff; filter: Filter; known: Known }
type Narrowing<List extends ListDeclaration, Known> = {
  [Name in keyof List['filters'] as List['filters'][Name] extends { isOrder: true } ? never : Name]: (
    value: NonNullable<FiltersOf<List>[Name]>,
    at: At<FiltersOf<List>, Known>,
  ) => Condition | Promise<Condition>
}

/** The condition for rows that match other filters. */
type Met<List extends ListDeclaration, Fixed> = (filter: FiltersOf<List> & Fixed) => Promise<Condition>

type Row = { _id: string }
type Beside<At, Shown, Met> = At & { rows: () => Promise<Shown[]>; met: Met }
export type Definition<
  List extends ListDeclaration,
  Fixed,
  Found,
  Shown extends Row,
  Extra = object,
  Known = unknown,
> = {
  /** The declaration shared with the web. */
  list: List
  right: DeskRight
  /** The table with its alias; counts do not use its joins. */
  table: string
  /** The column that makes the order total. */
  id: string
  /** The value of `id` in a row; defaults to `_id`. */
  keyOf?: (row: Shown) => string
  select: (tx: Tx, staff: Staff) => Select<Found>
  /** Selects the page from the table alone and joins afterwards, since a join before the limit runs for every row. */
  isFoundFirst?: true
  /** Reads data that several of the functions below need, once for a page and once for an export. */
  prepare?: (at: { tx: Tx; staff: Staff; filter: FiltersOf<List> & Fixed }) => Promise<Known>
  /** The condition of each filter, on the table alone. */
  filters: Narrowing<List, Known>
  /** A condition that applies with every filter. */
  where?: (at: At<FiltersOf<List> & Fixed, Known>) => Condition | Promise<Condition>
  sort: (filter: FiltersOf<List> & Fixed) => Sort<Shown>
  /** May wait for what `prepare` has only started, so that it is read together with the page. */
  shape: (found: Found, staff: Staff, known: Known) => Shown | Promise<Shown>
  /** The CSV table: fixed columns, or heads and cells that depend on the filter. */
  columns?: readonly Column<Shown>[]
  readTable?: (staff: Staff, filter: FiltersOf<List> & Fixed) => Promise<TableOf<Shown>>
  /** False where no count is shown, or where `beside` counts. */
  isCounted?: false
  /** Further fields of the response; its `total` is the count. Read together with the page, unless it asks for the `rows`. */
  beside?: (at: Beside<At<Asked<FiltersOf<List> & Fixed>, Known>, Shown, Met<List, Fixed>>) => Promise<Extra>
  /** `listing` for data that may be a few seconds old. */
  read?: typeof reading
  /** The audit entry of an export that concerns less than the whole brokerage. */
  exported?: { action: string; subject: (filter: FiltersOf<List> & Fixed) => { kind: string; id: string } }
}

type Marks = { after?: string | undefined; before?: string | undefined; page?: number }
type Asked<Filter> = Filter & Marks & { limit: number }
type Selection = { ids?: string[] | undefined }

export type ListOf<Filter, Answer> = {
  /** The condition for rows of these filters in this workspace. */
  met: (tx: Tx, staff: Staff, filter: Filter) => Promise<Condition>
  /** The response of the list's call. */
  read: (staff: Staff, asked: Asked<Filter>) => Promise<Answer>
  /** The same rows as a CSV table; audits the caller and the filters first. */
  table: (staff: Staff, filter: Filter & Selection) => Promise<{ name: string; lines: AsyncIterable<string> }>
  /** The action of that audit entry. */
  exportedAs: string
}

type AnswerOf<List extends ListDeclaration, Shown, Extra> = { [Name in RowsOf<List>]: Shown[] } & Extra & {
    next: string | null
    previous: string | null
    total: number
  }

type Total = { total?: number; total_is_least?: boolean }

const exportedAtOnce = 500

/** The rows that a numbered page proves: counting ends at a limit, and pages beyond it must stay reachable. */
const seenBy = (before: number, { rows, next }: Page<unknown>): number =>
  rows.length === 0 ? 0 : before + rows.length + (next ? 1 : 0)

/** A desk list: keyset pages, count and CSV export, all with the same filters and order. */
export function defineList<
  const List extends ListDeclaration,
  Found,
  Shown extends Row,
  Fixed extends object = object,
  Extra extends object = object,
  Known = unknown,
>(
  definition: Definition<List, Fixed, Found, Shown, Extra, Known>,
): ListOf<FiltersOf<List> & Fixed, AnswerOf<List, Shown, Extra>> {
  type Filter = FiltersOf<List> & Fixed
  const { list, right, beside, read: readIn = reading } = definition
  return {
    met: async (tx, staff, filter) => metBy(definition, await atOf(tx, staff, filter)),
    read(staff, asked) {
      authorizeStaff(staff, right)
      return readIn(staff, async (tx) => {
        readAtOneMoment(tx)
        const at = await atOf(tx, staff, { ...asked, ...marksOf(list, asked) })
        const met = await metBy(definition, at)
        // Asked together, so that they share one round trip and see one moment.
        const paged = readPage(definition, at, met)
        const [page, counted, extra] = await Promise.all([
          paged,
          definition.isCounted === false ? 0 : countUpTo(tx, definition.table, met),
          beside?.({
            ...at,
            rows: async () => (await paged).rows,
            met: async (filter) => (filter === at.filter ? met : metBy(definition, { ...at, filter })),
          }),
        ])
        const { rows, next, previous } = page
        const { total: least = counted, total_is_least: isLeast = least >= limits.countedMax } = (extra ?? {}) as Total
        const before = ((asked.page ?? 1) - 1) * asked.limit
        // Past the last row, so that the reader returns to the page before and not to the last one that was counted.
        const isPast = isLeast && rows.length === 0 && before > least
        const seen = isPast ? await countUpTo(tx, definition.table, met, before) : seenBy(before, page)
        const total = asked.page === undefined ? least : Math.max(least, seen)
        return { [list.rows ?? list.name]: rows, next, previous, ...extra, total } as AnswerOf<List, Shown, Extra>
      })
    },
    async table(staff, filter) {
      authorizeStaff(staff, right)
      // Before the audit entry and the first line, so that it can still refuse.
      const known = definition.prepare && (await readIn(staff, (tx) => fullyPrepared(tx, staff, filter)))
      const lines = await tableOf(definition, staff, { filter, known: known as Known })
      await inTransaction(staff, (tx) => audit(tx, staff, entryOf(definition, staff, filter)))
      return { name: `${list.file ?? list.name}.csv`, lines }
    },
    exportedAs: exportedAs(definition),
  }

  /** Waits for what `prepare` has only started, too. */
  async function fullyPrepared(tx: Tx, staff: Staff, filter: Filter): Promise<Known> {
    const known = await prepared(tx, staff, filter)
    await Promise.all(Object.values(known ?? {}))
    return known
  }

  async function prepared(tx: Tx, staff: Staff, filter: Filter): Promise<Known> {
    return (await definition.prepare?.({ tx, staff, filter })) as Known
  }

  async function atOf<Of extends Filter>(tx: Tx, staff: Staff, filter: Of): Promise<At<Of, Known>> {
    return { tx, staff, filter, known: await prepared(tx, staff, filter) }
  }

  async function tableOf(
    { readTable, columns = [] }: typeof definition,
    staff: Staff,
    { filter, known }: { filter: Filter & Selection; known: Known },
  ) {
    const { heads, cells } = (await readTable?.(staff, filter)) ?? {
      heads: columns.map(([head]) => head),
      cells: (_tx: Tx, rows: Shown[]) => rows.map((row) => columns.map(([, cell]) => cell(row))),
    }
    // An export may be a few seconds old, so it may read from the replica.
    return writeTable<string>(heads, (after) =>
      listing(staff, async (tx) => {
        const at = { tx, staff, filter: { ...filter, limit: exportedAtOnce, after }, known }
        const { rows, next } = await readPage(definition, at, await metBy(definition, at))
        return { rows: await cells(tx, rows), next }
      }),
    )
  }
}

type Narrow = (value: unknown, at: unknown) => Condition | Promise<Condition>

const aliasOf = (table: string): string => table.split(' as ').at(-1) ?? table

async function metBy<List extends ListDeclaration, Fixed, Found, Shown extends Row, Known>(
  { list, table, id, where, filters }: Definition<List, Fixed, Found, Shown, unknown, Known>,
  at: At<FiltersOf<List> & Fixed & Selection, Known>,
): Promise<Condition> {
  const { staff, filter } = at
  const all: Condition[] = [condition`${sql.ref(`${aliasOf(table)}.workspace_id`)} = ${staff.workspaceId}::uuid`]
  if (where) all.push(await where(at))
  // Selected rows matched when they were selected: none may be missing because it has changed since.
  const narrowing = filter.ids ? [] : Object.entries(filters as Record<string, Narrow>)
  for (const [name, narrow] of narrowing) {
    const value = filter[name as keyof typeof filter] as unknown
    const isEmptySearch = value === '' && list.filters[name]?.kind === 'search'
    if (value !== undefined && !isEmptySearch) all.push(await narrow(value, at))
  }
  if (filter.ids) all.push(condition`${sql.ref(id)} = any(${filter.ids}::uuid[])`)
  return condition`${sql.join(
    all.map((each) => condition`(${each})`),
    sql` and `,
  )}`
}

async function readPage<List extends ListDeclaration, Fixed, Found, Shown extends Row, Known>(
  {
    select,
    sort,
    id,
    keyOf = (row) => row._id,
    shape,
    table,
    isFoundFirst,
  }: Definition<List, Fixed, Found, Shown, unknown, Known>,
  { tx, staff, filter: asked, known }: At<Asked<FiltersOf<List> & Fixed>, Known>,
  met: Condition,
): Promise<Page<Shown>> {
  const by = sort(asked)
  const column = 'isById' in by ? id : by.column
  const isBackwards = asked.before !== undefined
  const direction = isBackwards ? reverse[by.direction] : by.direction
  const mark = asked.before ?? asked.after
  const isAfter =
    mark === undefined ? null : beyond(mark, { column, id, direction, isTime: 'at' in by, isById: 'isById' in by })
  const wanted = isAfter ? condition`${met} and ${isAfter}` : met
  // One extra row shows whether there is another page.
  const [rowsMax, before] = [asked.limit + 1, ((asked.page ?? 1) - 1) * asked.limit]
  const [first, second] = [byOf(column), sql.ref(id)]
  const cut = condition`${second} in (select ${second} from ${fromOf(table)} where ${wanted}
    order by ${first} ${sql.raw(direction)}, ${second} ${sql.raw(direction)} limit ${rowsMax} offset ${before})`
  const ordered = select(tx, staff)
    .where(isFoundFirst ? cut : wanted)
    .orderBy(first, direction)
    .orderBy(second, direction)
  const rows = await (isFoundFirst ? ordered : ordered.limit(rowsMax).offset(before)).execute()
  const shaped = await Promise.all(rows.map((row) => shape(row, staff, known)))
  const sortedBy = (row: Shown) => {
    if ('isById' in by) return ''
    return 'at' in by ? String(by.at(row)) : by.text(row).slice(0, markCharsMax)
  }
  return cutPage(shaped, asked, (row) => ({ value: sortedBy(row), id: keyOf(row) }))
}

const reverse = { asc: 'desc', desc: 'asc' } as const
const markCharsMax = 300

const byOf = (column: SortColumn) => (typeof column === 'string' ? sql.ref(column) : column)

type Beyond = { column: SortColumn; id: string; direction: Direction; isTime: boolean; isById: boolean }

/** Written out instead of as a row value: see page-mark.ts. */
function beyond(mark: string, { column, id, direction, isTime: isOfTime, isById }: Beyond): Condition {
  const than = sql.raw(direction === 'asc' ? '>' : '<')
  const [by, key] = [byOf(column), sql.ref(id)]
  if (isById) return condition`${key} ${than} ${readMark(mark).id}::uuid`
  const { value, id: last } = isOfTime ? { ...readTimeMark(mark), value: readTimeMark(mark).at } : readMark(mark)
  return sql<SqlBool>`(${by} ${than}= ${value} and (${by} ${than} ${value} or ${key} ${than} ${last}::uuid))`
}

/** Counts matching rows, by default up to the maximum that is shown. */
export async function countUpTo(
  tx: Tx,
  table: string,
  met: Condition,
  most: number = limits.countedMax,
): Promise<number> {
  const counted = await sql<{ total: number }>`select count(*)::int as "total" from (
    select from ${fromOf(table)} where ${met} limit ${most}) as counted`.execute(tx)
  return counted.rows[0]?.total ?? 0
}

function fromOf(table: string) {
  const [name = table, alias = name] = table.split(' as ')
  return sql`${sql.table(name)} as ${sql.ref(alias)}`
}

type Exports<List extends ListDeclaration, Fixed, Found, Shown extends Row> = Pick<
  Definition<List, Fixed, Found, Shown>,
  'list' | 'exported'
>

const exportedAs = <List extends ListDeclaration, Fixed, Found, Shown extends Row>({
  list,
  exported,
}: Exports<List, Fixed, Found, Shown>): string => exported?.action ?? `${list.name}.exported`

/** The audit entry omits search terms, which may be personal data, and gives the size of a selection. */
function entryOf<List extends ListDeclaration, Fixed, Found, Shown extends Row>(
  definition: Exports<List, Fixed, Found, Shown>,
  staff: Staff,
  filter: FiltersOf<List> & Fixed & Selection,
) {
  const { ids, ...asked } = filter
  const searched = Object.entries(definition.list.filters).flatMap(([name, { kind }]) =>
    kind === 'search' ? [name] : [],
  )
  // A selection is exported whatever its rows are by then, so its filters were not applied.
  const applied = Object.entries(asked).filter(([name]) => ids === undefined || !(name in definition.list.filters))
  const said = Object.fromEntries(
    applied.map(([name, value]) => [name, searched.includes(name) && value !== undefined ? '…' : value]),
  )
  return {
    action: exportedAs(definition),
    subject: definition.exported?.subject(filter) ?? { kind: 'workspace', id: staff.workspaceId },
    after: { ...said, selected: ids?.length },
  }
}
