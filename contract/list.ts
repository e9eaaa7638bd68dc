/**
 * The filters and order of a list, declared once: the call's input, the server's query, the page's URL and its controls derive from
 * it, with their types. It contains no schema, since URLs are parsed in the first load.
 */
export type ListFilter =
  /** The text of the search field. */
  | { kind: 'search' }
  | { kind: 'id' }
  | { kind: 'day' }
  | { kind: 'text'; pattern: RegExp; charsMax: number }
  /** One of several values. */
  | {
      kind: 'choice'
      values: readonly string[]
      /** The default, so that the filter always has a value. */
      usual?: string
      /** A sort order, which filters nothing. */
      isOrder?: true
      /** The page's value while its URL has none; the URL then says `all` to select no value. */
      first?: First
    }

type First = (said: Record<string, unknown>) => string

export type ListDeclaration<Filters extends Record<string, ListFilter> = Record<string, ListFilter>> = {
  /** Determines the page, the API path, the CSV file and the audit action: `openings` → `openings.csv`, `openings.exported`. */
  name: string
  /** The rows' field of the answer; defaults to the name. */
  rows?: string
  /** The file name without its extension; defaults to the name. */
  file?: string
  /** Its call pages by number instead of by row key. */
  isNumbered?: true
  /** The rows of a page of the screen; defaults to the call's own. */
  pageSize?: number
  /** Its call's `before` means older rows, which are the next page; unchanged since its first version. */
  isMarkedByTime?: true
  filters: Filters
}

export const search = { kind: 'search' } as const
export const id = { kind: 'id' } as const
export const day = { kind: 'day' } as const
export const text = (pattern: RegExp, charsMax: number) => ({ kind: 'text', pattern, charsMax }) as const

type Choice<Value extends string> = { kind: 'choice'; values: readonly Value[] }
export const choice = <const Value extends string>(values: readonly Value[]): Choice<Value> => ({
  kind: 'choice',
  values,
})
export const choiceOr = <const Value extends string>(
  values: readonly Value[],
  usual: NoInfer<Value>,
): Choice<Value> & { usual: Value } => ({ kind: 'choice', values, usual })
export const order = <const Value extends string>(
  values: readonly Value[],
  usual: NoInfer<Value>,
  /** The initial value of the page, where it depends on the other filters. */
  first?: (said: Record<string, unknown>) => Value,
): Choice<Value> & { usual: Value; isOrder: true } => ({
  ...{ kind: 'choice', values, usual, isOrder: true },
  ...(first && { first }),
})

/** A choice with an initial value on the page, where the call without a value returns all. */
export const choiceFirst = <const Value extends string>(
  values: readonly Value[],
  first: NoInfer<Value>,
): Choice<Value> & { first: First } => ({ kind: 'choice', values, first: () => first })

export const declareList = <const Declared extends ListDeclaration>(list: Declared): Declared => list

/** `all` in a URL: selects no value of a choice with an initial value. */
export const every = 'all'

type ValueOf<Filter> = Filter extends { values: readonly (infer Value extends string)[] } ? Value : string

/** The filters of a list; an unused one is absent. */
export type FiltersOf<List extends ListDeclaration> = {
  [Name in keyof List['filters']]?: ValueOf<List['filters'][Name]> | undefined
}

type Marks = { after?: string | undefined; before?: string | undefined }
/** Converts between the marks of a list and those of its call, in both directions. */
export const marksOf = ({ isMarkedByTime }: ListDeclaration, { after, before }: Marks): Marks =>
  isMarkedByTime ? { after: before, before: after } : { after, before }

/** The field of the answer that holds the rows. */
export type RowsOf<List extends ListDeclaration> = List extends { rows: infer Rows extends string }
  ? Rows
  : List['name']
