import { z } from 'zod'
import { refuse } from '../errors.ts'

/**
 * A keyset cursor, the sorted value and the id of a row, so that every page costs the same and new rows do not shift
 * pages. Comparisons are written out instead of as a row value, because row security lets an index serve only leakproof
 * ones.
 */
export type PageMark = { value: string; id: string }

/** PostgreSQL stores neither NUL nor lone surrogates. */
const value = z
  .string()
  .max(300)
  .refine((text) => !text.includes('\u0000') && text.isWellFormed())
const shape = z.tuple([value, z.uuid()])

export function writeMark({ value, id }: PageMark): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url')
}

/** Cursors come from URLs and are untrusted. */
export function readMark(text: string): PageMark {
  const parsed = shape.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success) refuse('invalid_input', 'This page does not exist.')
  const [value, id] = parsed.data
  return { value, id }
}

/** The same for a list sorted by time. */
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
 * Makes a page from rows read with one more than the limit. `backwards`: rows were read from the cursor towards the
 * start, in reverse order.
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
