import { createHash } from 'node:crypto'
import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { DB } from './database.generated.ts'
import { keepRecent } from './recent.ts'

/** Any transaction of database.ts, which stands above this file. */
type Tx = Kysely<DB>

/** A statement with a name, under which each connection keeps how it is read and planned. */
export type KeptQuery<Row = unknown> = CompiledQuery<Row> & { keptAs: string }

export const isKept = (query: CompiledQuery): query is KeptQuery => 'keptAs' in query

/** Stands for a value while the statement is put together. */
class Place {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

type Reader = (query: CompiledQuery) => Promise<unknown[]>

/** What reads for a unit, where nothing of Kysely's own way is needed between a text that is there and the database. */
const readersOf = new WeakMap<object, Reader>()

export function readDirectly(tx: object, read: Reader): void {
  readersOf.set(tx, read)
}

/** Texts that one statement has at most by what it is asked for; the longest unused is forgotten. */
const shapesMax = 100

/** Never a name for two texts: sessions may be shared with a process that keeps another version of the statement. */
export function nameOfText(text: string, prefix = ''): string {
  return `${prefix}${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
}

/**
 * A statement that is asked for often: put together once in this process instead of each time, and planned once on each
 * connection, for any value (decisions 0054, 0069). Only for what finds its rows by an index whose order is the answer's.
 * `build` sees stand-ins for the values that are there and nothing for those that are not, so its text depends on which there
 * are and on `variant`, never on what they are. `name` is at most 40 characters, and unique in the program.
 */
export function keepStatement<Values extends Record<string, unknown>, Row, Variant extends string = ''>(
  name: string,
  build: (tx: Tx, values: Values, variant: Variant) => Compilable<Row>,
): (tx: Tx, values: Values, variant?: Variant) => Promise<QueryResult<Row>> {
  const made = keepRecent<KeptQuery<Row>>(shapesMax)

  function make(tx: Tx, values: Values, variant: Variant): KeptQuery<Row> {
    const shape = shapeOf(values, variant)
    const known = made.find(shape)
    if (known) return known
    const compiled = build(tx, placesOf(values), variant).compile()
    const kept = { ...compiled, keptAs: nameOfText(compiled.sql, `${name}_`) }
    made.keep(shape, kept)
    return kept
  }

  return async (tx, values, variant = '' as Variant) => {
    const kept = make(tx, values, variant)
    const parameters = kept.parameters.map((value) => (value instanceof Place ? values[value.key] : value))
    const query = { sql: kept.sql, query: kept.query, queryId: kept.queryId, keptAs: kept.keptAs, parameters }
    const read = readersOf.get(tx)
    return read ? { rows: (await read(query)) as Row[] } : tx.executeQuery<Row>(query)
  }
}

function shapeOf(values: Record<string, unknown>, variant: string): string {
  let shape = variant
  for (const key in values) if (values[key] !== undefined) shape += ` ${key}`
  return shape
}

function placesOf<Values extends Record<string, unknown>>(values: Values): Values {
  const there = Object.keys(values).filter((key) => values[key] !== undefined)
  return Object.fromEntries(there.map((key) => [key, new Place(key)])) as Values
}
