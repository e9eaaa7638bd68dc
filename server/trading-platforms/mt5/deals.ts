import { type BalanceReceipt, type Deal, GatewayError, type Login, type Utc } from '../contract.ts'
import { carriesTag } from '../intent-tag.ts'
import { requireLogin } from '../refusals.ts'
import type { Mt5Call } from './client.ts'
import { isShort, PAGE_ROWS, readPages } from './pages.ts'
import { type Platform, readList, readOne } from './platform.ts'
import { readServerClock } from './server-clock.ts'
import { compareDeals, isBalanceOperation, openingsOf, toDeal } from './translate.ts'
import type { Mt5Record } from './wire.ts'

/** Larger than any error in time zones or clock changes; extra rows are dropped after conversion. */
const WINDOW_MARGIN_SECONDS = 26 * 3600
const PAGES_MAX = 10_000

type Window = { from: number; to: number }
type How = Pick<Mt5Call, 'urgent'>

/** The window is fixed, so that the pages belong to one list. */
async function readDeals(platform: Platform, login: Login, window: Window, how: How = {}): Promise<Mt5Record[]> {
  const bounds = { login, from: String(window.from), to: String(window.to) }
  const found = await readPages({
    read: (offset) => {
      const query = { ...bounds, offset: String(offset), total: String(PAGE_ROWS) }
      return readList(platform, { ...how, path: '/api/deal/get_page', query })
    },
    keyOf: (record) => record.id('Deal'),
    isLast: isShort,
    pagesMax: PAGES_MAX,
  })
  return [...found.values()].sort(compareDeals)
}

/** Of an account that was deleted or archived the platform shows no deals either, which do not mean that it had none. */
async function requireAccount(platform: Platform, login: Login): Promise<void> {
  const user = await readOne(platform, { path: '/api/user/get', query: { login } })
  if (user === null) throw new GatewayError({ outcome: 'rejected', reason: 'not_found', sent: true })
}

/** The order of rows is not documented, so all pages are read before the first row is yielded. */
export async function* listDeals(platform: Platform, login: Login, from: Utc, to: Utc): AsyncGenerator<Deal> {
  requireLogin(login)
  const { clock } = platform
  const window = {
    from: Math.max(0, Math.floor(clock.toPlatform(from)) - WINDOW_MARGIN_SECONDS),
    to: Math.ceil(clock.toPlatform(to)) + WINDOW_MARGIN_SECONDS,
  }
  const records = await readDeals(platform, login, window)
  if (records.length === 0) await requireAccount(platform, login)
  const openings = openingsOf(records, clock)
  for (const record of records) {
    const deal = toDeal(record, clock, openings)
    if (deal.at >= from && deal.at <= to) yield deal
  }
}

export async function findBalanceByTag(
  platform: Platform,
  login: Login,
  tag: string,
  since: Utc,
): Promise<BalanceReceipt[]> {
  requireLogin(login)
  // Reads the clock first, on a session that began after the send: the server has then ended the old one.
  const { platformNow } = await readServerClock(platform, { urgent: true, sessionAfterMs: since * 1000 + 999 })
  const from = Math.min(Math.floor(platform.clock.toPlatform(since)), platformNow)
  const window = {
    // Never in the future: our clock may have been ahead at the send and corrected since.
    from: Math.max(0, from - WINDOW_MARGIN_SECONDS),
    to: platformNow + WINDOW_MARGIN_SECONDS,
  }
  const records = await readDeals(platform, login, window, { urgent: true })
  const receipts = records
    .filter((record) => isBalanceOperation(record.integer('Action')) && carriesTag(record.text('Comment'), tag))
    .map((record) => toDeal(record, platform.clock))
    .map((deal) => ({ ticket: deal.id, amount: deal.profit, at: deal.at, foundByReconciling: true }))
  // Absence counts only while the server still answers.
  if (receipts.length === 0) await readList(platform, { path: '/api/test/access', urgent: true })
  return receipts
}
