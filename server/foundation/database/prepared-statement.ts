import { hash } from 'node:crypto'
import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { DB } from './database.generated.ts'
import { keepRecent } from './recent.ts'

/** A transaction of database.ts, which depends on this file. */
type Tx = Kysely<DB>

/** A statement with a name, under which each connection prepares it. */
export type PreparedQuery<Row = unknown> = CompiledQuery<Row> & { preparedAs: string }

export const isPrepared = (query: CompiledQuery): query is PreparedQuery => 'preparedAs' in query

/** Placeholder for a value while the statement is compiled. */
class Place {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

type Reader = (query: CompiledQuery) => Promise<unknown[]>

/** Executes a compiled statement directly, past Kysely's executor. */
const readersOf = new WeakMap<object, Reader>()

export function readDirectly(tx: object, read: Reader): void {
  readersOf.set(tx, read)
}

/** Cached texts per statement; the least recently used is evicted. */
const shapesMax = 100

/** A hash of the text, since sessions may be shared with a process of another version. */
export function nameOfText(text: string, prefix = ''): string {
  return `${prefix}${hash('sha256', text, 'base64url').slice(0, 22)}`
}

/** Names already computed, by text. */
const namesOfTexts = keepRecent<string>(2_000)

export function recalledNameOf(text: string): string {
  const known = namesOfTexts.find(text)
  if (known) return known
  const name = nameOfText(text)
  namesOfTexts.keep(text, name)
  return name
}

/**
 * A frequent statement, compiled once per process and planned once per connection, for all values (decisions 0054,
 * 0069). Reads with it only by an index in result order; in a transaction PostgreSQL chooses the plan. `name` is unique
 * and has at most 40 characters. `build` gets placeholders for defined values and nothing for undefined ones, so its
 * text depends on which are defined and on `variant`, never on values.
 */
export function prepareStatement<Values extends Record<string, unknown>, Row, Variant extends string = ''>(
  name: string,
  build: (tx: Tx, values: Values, variant: Variant) => Compilable<Row>,
): (tx: Tx, values: Values, variant?: Variant) => Promise<QueryResult<Row>> {
  const made = keepRecent<PreparedQuery<Row>>(shapesMax)
  let last: { keys: readonly string[]; variant: Variant; prepared: PreparedQuery<Row> } | undefined

  function make(tx: Tx, values: Values, variant: Variant): PreparedQuery<Row> {
    const shape = shapeOf(values, variant)
    const known = made.find(shape)
    if (known) return known
    const compiled = build(tx, placesOf(values), variant).compile()
    const prepared = { ...compiled, preparedAs: nameOfText(compiled.sql, `${name}_`) }
    made.keep(shape, prepared)
    return prepared
  }

  /** Most calls have the shape of the one before, which comparing finds without building its text. */
  function find(tx: Tx, values: Values, variant: Variant): PreparedQuery<Row> {
    if (last?.variant === variant && areKeysOf(values, last.keys)) return last.prepared
    const prepared = make(tx, values, variant)
    last = { keys: Object.keys(values).filter((key) => values[key] !== undefined), variant, prepared }
    return prepared
  }

  return async (tx, values, variant = '' as Variant) => {
    const prepared = find(tx, values, variant)
    const parameters = prepared.parameters.map((value) => (value instanceof Place ? values[value.key] : value))
    const query = {
      sql: prepared.sql,
      query: prepared.query,
      queryId: prepared.queryId,
      preparedAs: prepared.preparedAs,
      parameters,
    }
    const read = readersOf.get(tx)
    return read ? { rows: (await read(query)) as Row[] } : tx.executeQuery<Row>(query)
  }
}

function shapeOf(values: Record<string, unknown>, variant: string): string {
  let shape = variant
  for (const key in values) if (values[key] !== undefined) shape += ` ${key}`
  return shape
}

/** Whether exactly these keys are defined, in this order. */
function areKeysOf(values: Record<string, unknown>, keys: readonly string[]): boolean {
  let at = 0
  for (const key in values) {
    if (values[key] === undefined) continue
    if (keys[at] !== key) return false
    at += 1
  }
  return at === keys.length
}

const variants = new WeakMap<readonly string[], string>()

/** Names as one variant of a statement. Cached, since a remembered document always passes the same array. */
export function variantOf(names: readonly string[]): string {
  const known = variants.get(names)
  if (known !== undefined) return known
  const variant = names.join(' ')
  variants.set(names, variant)
  return variant
}

function placesOf<Values extends Record<string, unknown>>(values: Values): Values {
  const there = Object.keys(values).filter((key) => values[key] !== undefined)
  return Object.fromEntries(there.map((key) => [key, new Place(key)])) as Values
}
