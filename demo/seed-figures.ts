import { currencyDecimals } from '@atrium/contract/currencies.ts'
import { sql } from 'kysely'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database.ts'
import { type DemoAccount, people } from './harbour-markets.ts'
import type { DemoTransaction } from './harbour-money.ts'
import type { History } from './history.ts'
import { randomFrom } from './trades.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** As thinned as the program itself would have left it by now. */
const stretches = [
  { untilDaysAgo: 30, stepMs: dayMs },
  { untilDaysAgo: 2, stepMs: hourMs },
  { untilDaysAgo: 0, stepMs: 5 * minuteMs },
]
/** Charts that nobody opens first need no more than the days. */
const daily = [{ untilDaysAgo: 0, stepMs: dayMs }]
const historyDays = 364

type Figures = { balance: string; equity: string }
type Seeded = {
  ids: Record<string, string>
  accountIds: Map<string, string>
  history: History
  figures: Map<string, Figures>
}
type Point = { at: Date; balance: string; equity: string }

/** How each account went in the last year, ending where it stands: play money that nobody counts, for a chart. */
export async function addFigures(tx: Tx, system: System, { ids, accountIds, figures, history }: Seeded): Promise<void> {
  const now = system.ground.clock.now().getTime()
  for (const [index, account] of history.accounts.entries()) {
    const accountId = accountIds.get(account.login)
    const stands = figures.get(account.login)
    if (!accountId || !stands) continue
    const moved = history.transactions.filter(({ login, state }) => login === account.login && state === 'approved')
    const points = walk(account, { stands, moved, now, seed: 11 + index })
    await sql`
      insert into account_figures (workspace_id, account_id, member_id, at, balance, equity)
      select ${system.workspaceId}, ${accountId}, ${ids[account.owner] ?? ''}, at, balance, equity
      from unnest(${points.map(({ at }) => at)}::timestamptz[], ${points.map(({ balance }) => balance)}::numeric[],
        ${points.map(({ equity }) => equity)}::numeric[]) as points (at, balance, equity)`.execute(tx)
  }
}

/** What went in and out by a moment, as far as the demo's history says so; all of it at first where it says nothing. */
function fundedBy(moved: readonly DemoTransaction[], daysAgo: number): number {
  return moved
    .filter((each) => each.daysAgo >= daysAgo)
    .reduce((sum, { type, amount }) => sum + (type === 'deposit' ? 1 : -1) * Number(amount), 0)
}

type Walked = { stands: Figures; moved: readonly DemoTransaction[]; now: number; seed: number }

function walk({ owner, currency, balance: held }: DemoAccount, { stands, moved, now, seed }: Walked): Point[] {
  const next = randomFrom(seed)
  const oldest = Math.max(0, ...moved.map(({ daysAgo }) => daysAgo))
  const isFunded = fundedBy(moved, 0) > 0
  const steps = Object.hasOwn(people, owner) ? stretches : daily
  const moments = momentsSince(isFunded ? Math.min(oldest, historyDays) : historyDays, now, steps)
  const end = Number(stands.equity)
  const decimals = currencyDecimals(currency)
  const opening = Math.max(0, Number(held) - fundedBy(moved, 0))
  const base = (at: number) => (isFunded ? opening + fundedBy(moved, (now - at) / dayMs) : end)
  // A walk that goes where it likes, bent so that it ends where the account stands.
  let drift = 0
  const drifts = moments.map((at, index) => {
    const days = (at - (moments[index - 1] ?? at)) / dayMs
    drift += (next() - 0.5) * 0.035 * Math.sqrt(days) * end
    return drift
  })
  const miss = end - base(now) - drift
  let balance = 0
  let heldDay = -1
  return moments.map((at, index) => {
    const share = index / (moments.length - 1)
    const equity = Math.max(base(at) * 0.2, base(at) + (drifts[index] ?? 0) + miss * share)
    // Trades are closed about once a day; until then the balance stays.
    const heldNow = Math.floor(at / dayMs)
    if (heldNow !== heldDay) balance = equity * (1 + (next() - 0.5) * 0.004)
    heldDay = heldNow
    return { at: new Date(at), balance: balance.toFixed(decimals), equity: equity.toFixed(decimals) }
  })
}

/** Rising, each at the beginning of its five minutes. */
function momentsSince(daysAgo: number, now: number, steps: typeof stretches): number[] {
  const moments: number[] = []
  let at = Math.floor((now - daysAgo * dayMs) / dayMs) * dayMs
  for (const { untilDaysAgo, stepMs } of steps) {
    for (; at < now - untilDaysAgo * dayMs - stepMs; at += stepMs) moments.push(at)
  }
  return moments
}
