import { Refusal } from './refusal.ts'
import type { World } from './world.ts'

/** A request to the bridge with a parsed path. */
export type Call = {
  login: string
  query: URLSearchParams
  body: Readonly<Record<string, unknown>>
}

const LIMIT_MAX = 500

export function limitOf({ query }: Call): number {
  const limit = Number(query.get('limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) throw new Refusal('bad_request')
  return limit
}

/** The position after the previous page, as numbers; an unknown cursor is refused. */
export function cursorOf({ query }: Call, count: number): number[] | null {
  const cursor = query.get('cursor')
  if (cursor === null) return null
  const parts = cursor.split('.').map(Number)
  if (parts.length !== count || parts.some((part) => !Number.isInteger(part))) throw new Refusal('bad_request')
  return parts
}

/** Expects one row more than the page size, which shows whether there is a next page. */
export function pageOf<Row>(rows: Row[], limit: number, cursorAfter: (row: Row) => number[]) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: rows.length > limit && last !== undefined ? cursorAfter(last).join('.') : null }
}

export function textOf(body: Call['body'], name: string, charsMax: number): string | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > charsMax || !/^[\x20-\x7e]+$/.test(value))
    throw new Refusal('invalid')
  return value
}

export function momentOf({ query }: Call, name: 'from' | 'to'): number {
  const text = query.get(name) ?? ''
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) throw new Refusal('bad_request')
  return Date.parse(text)
}

export function refuseUnknownFields(body: Call['body'], names: readonly string[]): void {
  if (Object.keys(body).some((name) => !names.includes(name))) throw new Refusal('bad_request')
}

/** A stale manager connection returns empty reads, and fails writes with an unknown outcome. */
export function refuseWhileStale(world: World): void {
  if (world.switches.stale) throw new Refusal('unclear', 6)
}
