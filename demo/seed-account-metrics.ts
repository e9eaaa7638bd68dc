import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import { sql } from 'kysely'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { type DemoAccount, people } from './harbour-markets.ts'
import type { DemoTransaction } from './harbour-money.ts'
import type { History } from './history.ts'
import { randomFrom } from './trades.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The resolution that retention would have left by now. */
const stretches = [
  { untilDaysAgo: 30, stepMs: dayMs },
  { untilDaysAgo: 2, stepMs: hourMs },
  { untilDaysAgo: 0, stepMs: 5 * minuteMs },
]
/** Accounts other than the main ones need only sparse charts. */
const someDays = [{ untilDaysAgo: 0, stepMs: 3 * dayMs }]
const historyDays = 364

type AccountMetrics = { balance: string; equity: string }
type Seeded = {
  ids: Record<string, string>
  accountIds: Map<string, string>
  history: History
  metrics: Map<string, AccountMetrics>
}
type Point = { at: Date; balance: string; equity: string }

/** Invents a year of metrics for each account, ending at its current values. */
export async function addAccountMetrics(
  tx: Tx,
  system: System,
  { ids, accountIds, metrics, history }: Seeded,
): Promise<void> {
  const now = system.context.clock.now().getTime()
  const all: (Of & Point)[] = []
  for (const [index, account] of history.accounts.entries()) {
    const accountId = accountIds.get(account.login)
    const stands = metrics.get(account.login)
    if (!accountId || !stands) continue
    const moved = history.transactions.filter(({ login, state }) => login === account.login && state === 'approved')
    const points = walk(account, { stands, moved, now, seed: 11 + index })
    const of = { account_id: accountId, member_id: ids[account.owner] ?? '' }
    all.push(...points.map((point) => ({ ...of, ...point })))
  }
  await addPoints(tx, system, all)
}

type Of = { account_id: string; member_id: string }

const addPoints = (tx: Tx, { workspaceId }: System, points: readonly (Of & Point)[]) =>
  sql`
    insert into account_figures (workspace_id, account_id, member_id, at, balance, equity)
    select ${workspaceId}, account_id, member_id, at, balance, equity
    from unnest(${points.map(({ account_id }) => account_id)}::uuid[], ${points.map(({ member_id }) => member_id)}::uuid[],
      ${points.map(({ at }) => at)}::timestamptz[], ${points.map(({ balance }) => balance)}::numeric[],
      ${points.map(({ equity }) => equity)}::numeric[]) as points (account_id, member_id, at, balance, equity)
    on conflict do nothing`.execute(tx)

type Last = Of & { login: string; currency: string; at: Date; equity: string }

/**
 * After a stop of some days, invents the metrics between the last ones and the current ones. Only for simulated
 * platforms: the metrics of a real one are never invented.
 */
export async function bridgeAccountMetrics(
  tx: Tx,
  system: System,
  metrics: Map<string, AccountMetrics>,
): Promise<void> {
  const now = system.context.clock.now().getTime()
  const { rows } = await sql<Last>`
    select account.account_id, account.member_id, account.platform_login as login, account.currency, last.at, last.equity
    from trading_accounts as account
    join platform_connections as connection on connection.workspace_id = account.workspace_id
      and connection.platform_id = account.platform_id and (connection.settings ->> 'allowPlainHttp')::boolean
    cross join lateral (select at, equity from account_figures where workspace_id = account.workspace_id
      and account_id = account.account_id order by at desc limit 1) as last
    where account.workspace_id = ${system.workspaceId} and not account.deleted
    order by account.platform_login`.execute(tx)
  for (const [index, last] of rows.entries()) {
    const stands = metrics.get(last.login)
    const since = last.at.getTime()
    if (!stands || now - since < hourMs) continue
    const moments = momentsSince((now - since) / dayMs, now, stretches).filter((at) => at > since)
    const points = bridge(last, { stands, moments, seed: (index + since) % 4_294_967_296 })
    await addPoints(
      tx,
      system,
      points.map((point) => ({ ...last, ...point })),
    )
  }
}

type Bridged = { stands: AccountMetrics; moments: number[]; seed: number }

/** A random walk from the last stored equity to the current one. */
function bridge({ equity, currency, at: since }: Last, { stands, moments, seed }: Bridged): Point[] {
  const decimals = currencyDecimals(currency)
  const [from, to] = [Number(equity), Number(stands.equity)]
  const drifts = driftsOver(moments, { from: since.getTime(), scale: to * 0.02, next: randomFrom(seed) })
  const miss = drifts.at(-1) ?? 0
  return moments.map((at, index) => {
    const share = (index + 1) / moments.length
    const stood = from + (to - from) * share + (drifts[index] ?? 0) - miss * share
    return { at: new Date(at), balance: stands.balance, equity: stood.toFixed(decimals) }
  })
}

type Drift = { from: number; scale: number; next: () => number }

/** A random walk with a given change per day. */
function driftsOver(moments: readonly number[], { from, scale, next }: Drift): number[] {
  let drift = 0
  return moments.map((at, index) => {
    const days = (at - (moments[index - 1] ?? from)) / dayMs
    drift += (next() - 0.5) * scale * Math.sqrt(days)
    return drift
  })
}

/** The net deposits until that day, according to the demo's history. */
function fundedBy(moved: readonly DemoTransaction[], daysAgo: number): number {
  return moved
    .filter((each) => each.daysAgo >= daysAgo)
    .reduce((sum, { type, amount }) => sum + (type === 'deposit' ? 1 : -1) * Number(amount), 0)
}

type Walked = { stands: AccountMetrics; moved: readonly DemoTransaction[]; now: number; seed: number }

function walk({ owner, currency, balance: held }: DemoAccount, { stands, moved, now, seed }: Walked): Point[] {
  const next = randomFrom(seed)
  const oldest = Math.max(0, ...moved.map(({ daysAgo }) => daysAgo))
  const isFunded = fundedBy(moved, 0) > 0
  const steps = Object.hasOwn(people, owner) ? stretches : someDays
  const moments = momentsSince(isFunded ? Math.min(oldest, historyDays) : historyDays, now, steps)
  const end = Number(stands.equity)
  const decimals = currencyDecimals(currency)
  const opening = Math.max(0, Number(held) - fundedBy(moved, 0))
  const base = (at: number) => (isFunded ? opening + fundedBy(moved, (now - at) / dayMs) : end)
  // Shifted so that it ends at the account's current equity.
  const drifts = driftsOver(moments, { from: moments[0] ?? now, scale: end * 0.035, next })
  const miss = end - base(now) - (drifts.at(-1) ?? 0)
  let balance = 0
  let heldDay = -1
  return moments.map((at, index) => {
    const share = index / (moments.length - 1)
    const equity = Math.max(base(at) * 0.2, base(at) + (drifts[index] ?? 0) + miss * share)
    // Trades close about once a day; the balance changes only then.
    const heldNow = Math.floor(at / dayMs)
    if (heldNow !== heldDay) balance = equity * (1 + (next() - 0.5) * 0.004)
    heldDay = heldNow
    return { at: new Date(at), balance: balance.toFixed(decimals), equity: equity.toFixed(decimals) }
  })
}

/** Ascending, each at the beginning of its five minutes. */
function momentsSince(daysAgo: number, now: number, steps: typeof stretches): number[] {
  const moments: number[] = []
  let at = Math.floor((now - daysAgo * dayMs) / dayMs) * dayMs
  for (const { untilDaysAgo, stepMs } of steps) {
    for (; at < now - untilDaysAgo * dayMs - stepMs; at += stepMs) moments.push(at)
  }
  return moments
}
