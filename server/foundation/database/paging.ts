import { limits } from '@atrium/contract/limits.ts'

export type PageArgs = { limit?: number | null | undefined; page?: number | null | undefined }

export type Page = { limit: number; offset: number }

/** Rows that paging can reach. Further back a filter finds what a page number would not, and no page costs a long scan. */
export const reachableRowsMax = 100_000

/** The page asked for, brought within bounds; null when it lies beyond what can be reached. */
export function readPage(args: PageArgs, defaultLimit: number): Page | null {
  const limit = Math.min(Math.max(args.limit ?? defaultLimit, 1), limits.pageSizeMax)
  const offset = (Math.max(args.page ?? 1, 1) - 1) * limit
  return offset + limit > reachableRowsMax ? null : { limit, offset }
}
