import type { Socket } from 'node:net'
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { parserOf } from './moment.ts'

/** `name`: of the prepared statement on the connection; null if not prepared. */
export type BatchStatement = { text: string; values: readonly unknown[]; name: string | null }
/** `command`: the command and the number of its rows, such as `UPDATE 3`. */
export type BatchAnswer = { rows: Record<string, unknown>[]; command: string; problem?: Error }

type Field = { name: string; parse(text: string): unknown }
type Description = { fields: { name: string; dataTypeID: number }[] }
type Connection = { stream: Socket }
type Callback = (problem: Error | null) => void

/** pg accepts only subclasses of its query in a pipeline. */
const QueryOfDriver = pg.Query as unknown as new (config: { text: string }) => { callback?: Callback; text: string }

/** Prepared statements per connection; the least recently used is closed. */
export const preparedStatementsMax = 200

/** Prepared statements of each connection by name, with their result fields. */
const preparedBy = new WeakMap<pg.PoolClient, Map<string, Field[]>>()

function preparedOf(client: pg.PoolClient): Map<string, Field[]> {
  const prepared = preparedBy.get(client) ?? new Map<string, Field[]>()
  preparedBy.set(client, prepared)
  return prepared
}

/** For a session that lost its prepared statements, or whose tables have changed. */
export const forgetPrepared = (client: pg.PoolClient): boolean => preparedBy.delete(client)

/**
 * Sends several statements as one message and reads one answer. Unless one of them begins a transaction, they form one that only the
 * final sync ends, so settings made by the first statement apply to the others. After a failed statement none is run.
 */
class Batch extends QueryOfDriver {
  readonly answers: BatchAnswer[]
  readonly statements: readonly BatchStatement[]
  readonly #prepared: Map<string, Field[]>
  readonly #fields: Field[][] = []
  /** Names prepared by this batch; after a failure it is unknown which of them exist. */
  readonly #fresh: string[] = []
  #at = 0
  #unsent: Error | null = null

  constructor(statements: readonly BatchStatement[], prepared: Map<string, Field[]>) {
    super({ text: 'batch' })
    this.statements = statements
    this.#prepared = prepared
    this.answers = statements.map(() => ({ rows: [], command: '' }))
  }

  submit({ stream }: Connection): null {
    const messages: Buffer[] = []
    try {
      for (const statement of this.statements) this.#write(messages, statement)
    } catch (problem) {
      // A value could not be serialized. Earlier statements are sent, and the batch ends here.
      this.#unsent = problem as Error
    }
    messages.push(serialize.sync())
    // One write: several would mean several system calls and often several packets.
    stream.write(Buffer.concat(messages))
    return null
  }

  #write(messages: Buffer[], { name, text, values }: BatchStatement): void {
    const known = name === null ? undefined : this.#prepared.get(name)
    const bound = serialize.bind({ statement: name ?? '', values: [...values], valueMapper: prepareValue })
    if (name !== null && known) {
      this.#prepared.delete(name)
      this.#prepared.set(name, known)
    } else if (name === null || !this.#fresh.includes(name)) {
      if (name !== null) this.#makeRoom(messages, name)
      messages.push(serialize.parse({ name: name ?? '', text, types: [] }))
    }
    this.#fields.push(known ?? [])
    messages.push(bound)
    if (!known) messages.push(serialize.describe({ type: 'P', name: '' }))
    messages.push(serialize.execute())
  }

  #makeRoom(messages: Buffer[], name: string): void {
    // Closing an unknown statement is allowed, and a failed batch may have left one.
    messages.push(serialize.close({ type: 'S', name }))
    this.#fresh.push(name)
    const oldest = this.#prepared.keys().next()
    if (this.#prepared.size < preparedStatementsMax || oldest.done) return
    this.#prepared.delete(oldest.value)
    messages.push(serialize.close({ type: 'S', name: oldest.value }))
  }

  handleRowDescription({ fields }: Description): void {
    const name = this.statements[this.#at]?.name
    const described = fields.map((field) => ({
      name: field.name,
      parse: parserOf(field.dataTypeID),
    }))
    this.#fields[this.#at] = described
    if (name != null) this.#prepared.set(name, described)
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    const fields = this.#fields[this.#at] ?? []
    for (let place = 0; place < fields.length; place += 1) {
      const field = fields[place] as Field
      const value = values[place] ?? null
      row[field.name] = value === null ? null : field.parse(value)
    }
    this.answers[this.#at]?.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [name, answer] = [this.statements[this.#at]?.name, this.answers[this.#at]]
    // A statement without rows has no description.
    if (name != null && !this.#prepared.has(name)) this.#prepared.set(name, [])
    if (answer) answer.command = text
    this.#at += 1
  }

  handleEmptyQuery(): void {
    this.#at += 1
  }

  handleError(problem: Error): void {
    for (const name of this.#fresh) this.#prepared.delete(name)
    for (const answer of this.answers.slice(this.#at)) answer.problem = problem
    this.callback?.(problem)
  }

  handleReadyForQuery(): void {
    if (this.#unsent) this.handleError(this.#unsent)
    else this.callback?.(null)
  }
}

/** Answers in order: from the first failed statement on, each has that error. */
export function sendBatch(client: pg.PoolClient, statements: readonly BatchStatement[]): Promise<BatchAnswer[]> {
  const batch = new Batch(statements, preparedOf(client))
  return new Promise((resolve) => {
    batch.callback = () => resolve(batch.answers)
    client.query(batch as unknown as pg.Query)
  })
}

type Waiting<Query> = { query: Query; resolve(answer: BatchAnswer): void; reject(problem: Error): void }

type Batcher<Query> = { ask(query: Query, isAhead?: boolean): Promise<BatchAnswer>; isWaiting(): boolean }

/** Gathers nearly simultaneous queries, and sends them with one call of `send`. Those that are ahead go first. */
export function makeBatcher<Query>(send: (queries: readonly Query[]) => Promise<BatchAnswer[]>): Batcher<Query> {
  let waiting: Waiting<Query>[] = []

  function flush(): void {
    const batch = waiting
    waiting = []
    send(batch.map(({ query }) => query)).then(
      (answers) => {
        for (const [at, { resolve, reject }] of batch.entries()) {
          const answer = answers[at]
          if (!answer || answer.problem) reject(withOwnStack(answer?.problem))
          else resolve(answer)
        }
      },
      (problem) => {
        for (const { reject } of batch) reject(problem)
      },
    )
  }

  const ask: Batcher<Query>['ask'] = (query, isAhead) =>
    new Promise((resolve, reject) => {
      const asked = { query, resolve, reject }
      if (isAhead) waiting.unshift(asked)
      else waiting.push(asked)
      // Runs after all ready callbacks, so that concurrent queries join the batch.
      if (waiting.length === 1) setImmediate(flush)
    })
  return { ask, isWaiting: () => waiting.length > 0 }
}

/** Replaces the stack of the socket callback by that of the caller. */
function withOwnStack(problem: Error = new Error('The database did not answer.')): Error {
  Error.captureStackTrace(problem)
  return problem
}
