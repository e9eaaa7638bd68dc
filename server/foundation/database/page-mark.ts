import { z } from 'zod'
import { refuse } from '../errors.ts'

/**
 * Where a page of a long list begins: the sorted value and the id of the row beside it. A page found by its place costs the
 * same wherever it is, and rows that come in meanwhile do not shift it. Comparisons are written out and not as a row of
 * two, since row security lets an index serve only comparisons that cannot leak.
 */
export type PageMark = { value: string; id: string }

/** PostgreSQL keeps neither NUL nor half a character. */
const value = z
  .string()
  .max(300)
  .refine((text) => !text.includes('\u0000') && text.isWellFormed())
const shape = z.tuple([value, z.uuid()])

export function writeMark({ value, id }: PageMark): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url')
}

/** Marks come from addresses, which anybody may write. */
export function readMark(text: string): PageMark {
  const parsed = shape.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success) refuse('invalid_input', 'This page does not exist.')
  const [value, id] = parsed.data
  return { value, id }
}

/** The same for a list in the order of time. */
export function readTimeMark(text: string): { at: Date; id: string } {
  const { value, id } = readMark(text)
  const at = new Date(Number(value))
  if (!/^\d{1,15}$/.test(value) || Number.isNaN(at.getTime())) refuse('invalid_input', 'This page does not exist.')
  return { at, id }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export type Page<Row> = { rows: Row[]; next: string | null; previous: string | null }

/**
 * Makes a page of rows that were asked for with one more than is shown. `backwards`: they were read from the mark towards
 * the beginning, so they come the other way round.
 */
export function cutPage<Row>(
  found: Row[],
  asked: { limit: number; after?: string | undefined; before?: string | undefined },
  markOf: (row: Row) => PageMark,
): Page<Row> {
  const isBackwards = asked.before !== undefined
  const hasMore = found.length > asked.limit
  const rows = found.slice(0, asked.limit)
  if (isBackwards) rows.reverse()
  const first = rows[0]
  const last = rows.at(-1)
  const hasNext = isBackwards || hasMore
  const hasPrevious = isBackwards ? hasMore : asked.after !== undefined
  return {
    rows,
    next: last && hasNext ? writeMark(markOf(last)) : null,
    previous: first && hasPrevious ? writeMark(markOf(first)) : null,
  }
}
