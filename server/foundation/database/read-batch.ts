import type { Socket } from 'node:net'
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'

/** `name`: under which the connection keeps how it is read and planned; null where nothing is kept. */
export type BatchStatement = { text: string; values: readonly unknown[]; name: string | null }
export type BatchAnswer = { rows: Record<string, unknown>[]; problem?: Error }

type Field = { name: string; parse(text: string): unknown }
type Description = { fields: { name: string; dataTypeID: number }[] }
type Connection = { stream: Socket }
type Callback = (problem: Error | null) => void

/** What pg's client asks of a query; a subclass, since its pipeline takes nothing else. */
const QueryOfDriver = pg.Query as unknown as new (config: { text: string }) => { callback?: Callback; text: string }

/** Statements that a connection keeps at most. The one that was not used for longest makes room for another. */
export const keptStatementsMax = 200

/** What each connection has read and planned, by name, with what its rows look like. */
const keptBy = new WeakMap<pg.PoolClient, Map<string, Field[]>>()

function keptOf(client: pg.PoolClient): Map<string, Field[]> {
  const kept = keptBy.get(client) ?? new Map<string, Field[]>()
  keptBy.set(client, kept)
  return kept
}

/** The session has lost what it had kept, or keeps it for a table that looks different now. */
export const forgetKept = (client: pg.PoolClient): boolean => keptBy.delete(client)

/**
 * Several statements as one message to the database and one answer of it. They are one transaction of their own: nothing but
 * the sync at the end closes it, so that what the first of them sets for the transaction holds for the others.
 */
class Batch extends QueryOfDriver {
  readonly answers: BatchAnswer[]
  readonly statements: readonly BatchStatement[]
  readonly #kept: Map<string, Field[]>
  readonly #fields: Field[][] = []
  /** Names that are read with this batch; after a failure nobody knows which of them were. */
  readonly #fresh: string[] = []
  #at = 0
  #unsent: Error | null = null

  constructor(statements: readonly BatchStatement[], kept: Map<string, Field[]>) {
    super({ text: 'batch' })
    this.statements = statements
    this.#kept = kept
    this.answers = statements.map(() => ({ rows: [] }))
  }

  submit({ stream }: Connection): null {
    const messages: Buffer[] = []
    try {
      for (const statement of this.statements) this.#write(messages, statement)
    } catch (problem) {
      // A value that cannot be written. What went before it is on its way, so the batch ends here as one.
      this.#unsent = problem as Error
    }
    messages.push(serialize.sync())
    // One packet: each write of its own would be a call to the system, and often a packet.
    stream.write(Buffer.concat(messages))
    return null
  }

  #write(messages: Buffer[], { name, text, values }: BatchStatement): void {
    const known = name === null ? undefined : this.#kept.get(name)
    const bound = serialize.bind({ statement: name ?? '', values: [...values], valueMapper: prepareValue })
    if (name !== null && known) {
      this.#kept.delete(name)
      this.#kept.set(name, known)
    } else {
      if (name !== null) this.#makeRoom(messages, name)
      messages.push(serialize.parse({ name: name ?? '', text, types: [] }))
    }
    this.#fields.push(known ?? [])
    messages.push(bound)
    if (!known) messages.push(serialize.describe({ type: 'P', name: '' }))
    messages.push(serialize.execute())
  }

  #makeRoom(messages: Buffer[], name: string): void {
    // Closing what is not there is no mistake, and it may be there from a batch that failed.
    messages.push(serialize.close({ type: 'S', name }))
    this.#fresh.push(name)
    const oldest = this.#kept.keys().next()
    if (this.#kept.size < keptStatementsMax || oldest.done) return
    this.#kept.delete(oldest.value)
    messages.push(serialize.close({ type: 'S', name: oldest.value }))
  }

  handleRowDescription({ fields }: Description): void {
    const name = this.statements[this.#at]?.name
    const described = fields.map((field) => ({
      name: field.name,
      parse: pg.types.getTypeParser(field.dataTypeID, 'text') as (text: string) => unknown,
    }))
    this.#fields[this.#at] = described
    if (name != null) this.#kept.set(name, described)
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

  handleCommandComplete(): void {
    this.#at += 1
  }

  handleEmptyQuery(): void {
    this.#at += 1
  }

  handleError(problem: Error): void {
    for (const name of this.#fresh) this.#kept.delete(name)
    for (const answer of this.answers.slice(this.#at)) answer.problem = problem
    this.callback?.(problem)
  }

  handleReadyForQuery(): void {
    if (this.#unsent) this.handleError(this.#unsent)
    else this.callback?.(null)
  }
}

/** Answers statement by statement: from the one that failed on, each with that problem. */
export function sendBatch(client: pg.PoolClient, statements: readonly BatchStatement[]): Promise<BatchAnswer[]> {
  const batch = new Batch(statements, keptOf(client))
  return new Promise((resolve) => {
    batch.callback = () => resolve(batch.answers)
    client.query(batch as unknown as pg.Query)
  })
}
