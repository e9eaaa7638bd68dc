import { z } from 'zod'
import { limits } from './limits.ts'
import type { ListDeclaration, ListFilter, RowsOf } from './list.ts'
import type { DeskRight } from './staff/rights.ts'
import { isDay } from './validators/dates.ts'
import { searchText } from './validators/identifier.ts'

/** The cursor of a page; only the server reads it. */
const pageMark = z
  .string()
  .max(500)
  .regex(/^[\w-]+$/)

/** Without the year 0000, which the database does not know. */
export const calendarDay = z.iso.date().refine(isDay)

const idCharsMax = 36
/** The ids of rows selected on a page. */
const selection = z
  .string()
  .max(limits.pageSizeMax * (idCharsMax + 1))
  .transform((text) => text.split(','))
  .pipe(z.array(z.uuid()).max(limits.pageSizeMax))
  .optional()

type Words<Value extends string> = z.ZodEnum<{ [Word in Value]: Word }>
type FieldOf<Filter> = Filter extends { values: readonly (infer Value extends string)[]; usual: string }
  ? z.ZodDefault<Words<Value>>
  : Filter extends { values: readonly (infer Value extends string)[] }
    ? z.ZodOptional<Words<Value>>
    : z.ZodOptional<z.ZodString>
type Fields<List extends ListDeclaration> = { [Name in keyof List['filters']]: FieldOf<List['filters'][Name]> }

function fieldOf(filter: ListFilter): z.ZodType {
  if (filter.kind === 'search') return searchText().max(100).optional()
  if (filter.kind === 'id') return z.uuid().optional()
  if (filter.kind === 'day') return calendarDay.optional()
  if (filter.kind === 'text') return z.string().max(filter.charsMax).regex(filter.pattern).optional()
  const words = z.enum(filter.values as [string, ...string[]])
  return filter.usual === undefined ? words.optional() : words.default(filter.usual)
}

export const filterFields = <List extends ListDeclaration>(list: List): Fields<List> =>
  Object.fromEntries(Object.entries(list.filters).map(([name, filter]) => [name, fieldOf(filter)])) as Fields<List>

const limit = z.coerce.number().int().min(1).max(limits.pageSizeMax).default(25)
export const pageFields = { after: pageMark.optional(), before: pageMark.optional(), limit }
export const numberFields = { page: z.coerce.number().int().min(1).max(100_000).default(1), limit }
const marks = { next: z.string().nullable(), previous: z.string().nullable() }
type PagesOf<List, ByNumber, ByMark> = List extends { isNumbered: true } ? ByNumber : ByMark

const ok = z.object({ status: z.literal('ok') })

type Shape<List extends ListDeclaration, Row extends z.ZodType, Extra extends z.ZodRawShape> = {
  [Name in RowsOf<List>]: z.ZodArray<Row>
} & PagesOf<List, object, typeof marks> & {
    /** Counted up to `limits.countedMax`. */
    total: z.ZodInt
  } & Extra

type Options<Row extends z.ZodType, Extra extends z.ZodRawShape, Fixed extends z.ZodRawShape> = {
  path: string
  right: Exclude<DeskRight, 'money.decide'>
  row: Row
  /** Additional fields of the answer. */
  extra?: Extra
  /** Path parameters, and inputs that do not have the shape of a filter. */
  fixed?: Fixed
}

/** The two calls of a desk list: a page, and a CSV export that is streamed. */
export function listCalls<
  const List extends ListDeclaration,
  Row extends z.ZodType,
  Extra extends z.ZodRawShape = Record<never, never>,
  Fixed extends z.ZodRawShape = Record<never, never>,
>(list: List, { path, right, row, extra, fixed }: Options<Row, Extra, Fixed>) {
  const filters = () => ({ ...filterFields(list), ...(fixed as Fixed) })
  const shape = {
    [list.rows ?? list.name]: z.array(row),
    ...(!list.isNumbered && marks),
    total: z.int(),
    ...extra,
  } as Shape<List, Row, Extra>
  const pages = (list.isNumbered ? numberFields : pageFields) as PagesOf<List, typeof numberFields, typeof pageFields>
  const shared = { method: 'GET', access: 'staff', right } as const
  return {
    list: { ...shared, path, pageOf: list, input: z.object({ ...filters(), ...pages }), answer: ok.extend(shape) },
    table: { ...shared, path: `${path}/table`, input: z.object({ ...filters(), ids: selection }), answer: ok },
  }
}
