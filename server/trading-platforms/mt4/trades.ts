import type { Deal, Login, Position, Utc } from '../contract.ts'
import { requireLogin } from '../refusals.ts'
import { utcText } from './money.ts'
import { type Platform, pagesOf, readAll } from './platform.ts'
import { tradeRecord } from './records.ts'
import { isTrade, toDeal, toPosition } from './translate.ts'

/** Pending orders are not positions. */
export async function listPositions(platform: Platform, login: Login): Promise<Position[]> {
  requireLogin(login)
  const rows = await readAll(platform, { path: `/v1/accounts/${login}/trades` }, tradeRecord)
  const open = new Map(rows.filter((row) => row.close_time === null && isTrade(row)).map((row) => [row.order, row]))
  return [...open.values()].map(toPosition)
}

/** A bridge with a wrong time zone shifts the requested window by hours, though not the times of rows. */
const WINDOW_MARGIN_SECONDS = 26 * 3600

/** The order of rows is specified, so pages are yielded as they arrive and long histories need little memory. */
export async function* listDeals(platform: Platform, login: Login, from: Utc, to: Utc): AsyncGenerator<Deal> {
  requireLogin(login)
  const window = {
    from: Math.max(0, Math.floor(from) - WINDOW_MARGIN_SECONDS),
    to: Math.ceil(to) + WINDOW_MARGIN_SECONDS,
  }
  const query = { from: utcText(window.from), to: utcText(window.to), limit: '100' }
  let before = new Set<string>()
  for await (const rows of pagesOf(platform, { path: `/v1/accounts/${login}/history`, query }, tradeRecord)) {
    for (const deal of rows.filter((row) => !before.has(row.order)).map(toDeal)) {
      if (deal.at >= from && deal.at <= to) yield deal
    }
    before = new Set(rows.map((row) => row.order))
  }
}
