import { DatabaseSync } from 'node:sqlite'

type Value = string | number | null

export type State = {
  one<Row>(sql: string, ...values: Value[]): Row | undefined
  all<Row>(sql: string, ...values: Value[]): Row[]
  /** Executes a statement and returns the new row's id. */
  run(sql: string, ...values: Value[]): number
  insert(table: string, row: Record<string, Value>): number
  atOnce<Result>(work: () => Result): Result
  close(): void
}

/** A kill at any moment loses no acknowledged command: each is one transaction in the write-ahead log. */
export function openState(file: string, tables: string): State {
  const database = new DatabaseSync(file)
  database.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;',
  )
  database.exec('create table if not exists prices (symbol text primary key, points integer not null)')
  database.exec(tables)
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const prepared = (sql: string) => {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  const run = (sql: string, ...values: Value[]) => Number(prepared(sql).run(...values).lastInsertRowid)
  let depth = 0
  return {
    one: <Row>(sql: string, ...values: Value[]) => prepared(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => prepared(sql).all(...values) as Row[],
    run,
    insert: (table, row) => {
      const names = Object.keys(row)
      const marks = names.map(() => '?').join(', ')
      return run(`insert into ${table} (${names.join(', ')}) values (${marks})`, ...Object.values(row))
    },
    atOnce: (work) => {
      if (depth > 0) return work()
      depth += 1
      database.exec('begin immediate')
      try {
        const result = work()
        database.exec('commit')
        return result
      } catch (error) {
        database.exec('rollback')
        throw error
      } finally {
        depth -= 1
      }
    },
    close: () => database.close(),
  }
}
