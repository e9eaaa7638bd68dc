import { createRequire } from 'node:module'
import type pg from 'pg'

/** The driver of the server, since the packages of the baselines bring another copy. */
const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg') as typeof pg

export type Statement = { text: string; values: readonly unknown[] }

/**
 * Records the statements of a piece of work without begin, scope and end, for the baseline. Recording none is an error, since any
 * comparison with an empty baseline looks normal.
 */
export async function recordStatements(work: () => Promise<void>): Promise<Statement[]> {
  const seen: Statement[] = []
  const original = Client.prototype.query
  const recording = function (this: pg.Client, ...call: unknown[]) {
    seen.push(...readStatements(call))
    return Reflect.apply(original, this, call)
  }
  Client.prototype.query = recording as typeof original
  try {
    await work()
  } finally {
    Client.prototype.query = original
  }
  return onlyAsked(seen)
}

/** A batch of statements or a single one. */
function readStatements(call: readonly unknown[]): readonly Statement[] {
  const [asked] = call
  const isBatch = typeof asked === 'object' && asked !== null && 'statements' in asked
  return isBatch ? (asked.statements as Statement[]) : [readStatement(call)]
}

/** A text with its values, or both in one object, as for named statements. */
export function readStatement([asked, values]: readonly unknown[]): Statement {
  const { text, values: own } = (typeof asked === 'string' ? { text: asked } : asked) as Partial<Statement>
  if (typeof text !== 'string') throw new Error('A statement was sent in a way that the bench cannot read.')
  const found = own ?? values
  return { text, values: Array.isArray(found) ? found : [] }
}

const around = /^\s*(begin|commit|rollback|set |select (num_nulls\()?set_config)/i

export function onlyAsked(statements: readonly Statement[], besides: readonly Statement[] = []): Statement[] {
  const others = new Set(besides.map(({ text }) => text))
  const asked = statements.filter(({ text }) => !around.test(text) && !others.has(text))
  if (asked.length === 0) throw new Error('The baseline would run no statement.')
  return asked
}
