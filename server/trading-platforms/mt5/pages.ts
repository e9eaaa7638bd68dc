import { protocolError } from '../refusals.ts'
import type { Mt5Record } from './wire.ts'

/** The rows of a page, of which the platform shows no more. */
export const PAGE_ROWS = 100
/** Lists without a lasting order would never end. */
const STEPS_BACK_MAX = 100

type Pages = {
  read(offset: number): Promise<Mt5Record[]>
  keyOf(record: Mt5Record): string
  isLast(page: readonly Mt5Record[]): boolean
  /** More pages than any platform has are a fault, not a complete list. */
  pagesMax: number
}

/**
 * Reads a list that the platform shows by offset, while rows come and go. Each page begins with the last row of the one
 * before: if it does not, rows before it have disappeared, and the reader goes back until a page begins with a row that
 * it has read, so that it skips none. A row may come twice, and counts once. Only a build that sends one row at a time
 * leaves nothing to compare.
 */
export async function readPages({ read, keyOf, isLast, pagesMax }: Pages): Promise<Map<string, Mt5Record>> {
  const found = new Map<string, Mt5Record>()
  let offset = 0
  let overlaps = false
  let stepsBack = 0
  for (let page = 0; page < pagesMax; page++) {
    const records = await read(offset)
    const [first] = records
    if (overlaps && !(first && found.has(keyOf(first)))) {
      stepsBack += 1
      if (stepsBack > STEPS_BACK_MAX) throw protocolError()
      offset = Math.max(0, offset - PAGE_ROWS)
      overlaps = offset > 0
      continue
    }
    for (const record of records) found.set(keyOf(record), record)
    if (isLast(records)) return found
    overlaps = records.length > 1
    offset += overlaps ? records.length - 1 : records.length
  }
  throw protocolError()
}

/** In lists of one account a page that is not full is the last. */
export const isShort = (page: readonly Mt5Record[]): boolean => page.length < PAGE_ROWS
