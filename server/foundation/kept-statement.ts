import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { DB } from './database.generated.ts'

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

/**
 * A statement that comes with nearly every call: put together once in this process instead of each time, and planned once on each
 * connection (decision 0054). Only for what finds its rows by key: such a plan is made without knowing the values. `build` sees
 * stand-ins for them, so the text must not depend on what they are; `name` is unique in the program.
 */
export function keepStatement<Values extends Record<string, unknown>, Row>(
  name: string,
  build: (tx: Tx, values: Values) => Compilable<Row>,
): (tx: Tx, values: Values) => Promise<QueryResult<Row>> {
  let made: CompiledQuery<Row> | undefined
  return (tx, values) => {
    made ??= build(tx, placesOf<Values>()).compile()
    const parameters = made.parameters.map((value) => (value instanceof Place ? values[value.key] : value))
    return tx.executeQuery<Row>(Object.assign({ ...made, parameters }, { keptAs: name }))
  }
}

function placesOf<Values>(): Values {
  return new Proxy({}, { get: (_, key) => new Place(String(key)) }) as Values
}
