import { limits } from '@atrium/contract/limits.ts'

type PageArgs = { limit?: number | null | undefined; page?: number | null | undefined }

export type Page = { limit: number; offset: number }

/** Rows reachable by page number. Beyond them a filter is needed, so that no page costs a long scan. */
export const reachableRowsMax = 100_000

/** A filter of a list; undefined if it is absent or empty, as filter bars send each field that is not filled in. */
export const givenFilter = (text: string | null | undefined): string | undefined => (text?.trim() ? text : undefined)

/** The requested page, clamped to bounds; null beyond the reachable rows. */
export function readPage(args: PageArgs, defaultLimit: number): Page | null {
  const limit = Math.min(Math.max(args.limit ?? defaultLimit, 1), limits.pageSizeMax)
  const offset = (Math.max(args.page ?? 1, 1) - 1) * limit
  return offset + limit > reachableRowsMax ? null : { limit, offset }
}
