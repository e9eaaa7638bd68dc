import type { MetricsRange } from '@atrium/contract/accounts/metrics-ranges.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { fixedDays } from '@atrium/contract/workspaces/retention.ts'
import { sql } from 'kysely'
import { authorize, type Member, type System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Interval between stored rows of an account. */
export const storedEveryMs = 5 * minuteMs

type Range = { spanMs: number; stepMs: number }

/** Steps chosen so that each range has a few hundred points at most. */
const ranges: Record<Exclude<MetricsRange, 'all'>, Range> = {
  '1d': { spanMs: dayMs, stepMs: 5 * minuteMs },
  '1w': { spanMs: 7 * dayMs, stepMs: hourMs },
  '1m': { spanMs: 31 * dayMs, stepMs: 3 * hourMs },
  '3m': { spanMs: 92 * dayMs, stepMs: 12 * hourMs },
  '1y': { spanMs: 366 * dayMs, stepMs: dayMs },
}
/** The range of the whole history. */
const pointsOfAll = 365

type Account = { account_id: string; currency: string; created_at: Date }

/** Balance and equity of an own account over time: the last value of each step. */
export async function readAccountMetricsHistory(member: Member, { id, range }: { id: string; range: MetricsRange }) {
  authorize(member, 'my_accounts')
  return reading(member, async (tx) => {
    const account = await findOwn(tx, member, id)
    const to = member.context.clock.now().getTime()
    const { spanMs, stepMs } = range === 'all' ? wholeLife(await firstMoment(tx, member, account), to) : ranges[range]
    const rows = await readPoints(tx, member, { accountIds: [id], from: new Date(to - spanMs), stepMs })
    const points = rows.map(({ at, balance, equity }) => ({
      at: at.getTime(),
      balance: toScale(balance, account.currency),
      equity: toScale(equity, account.currency),
    }))
    return { from: to - spanMs, to, points }
  })
}

const sparkMs = 7 * dayMs
const sparkStepMs = 6 * hourMs

/** The last week of all the member's accounts, and each value at the start of the viewer's day. */
export async function readRecentEquity(member: Member, { day_from }: { day_from?: number | undefined }) {
  authorize(member, 'my_accounts')
  return reading(member, async (tx) => {
    const accounts = await ownAccounts(tx, member).where('deleted', '=', false).execute()
    const to = member.context.clock.now().getTime()
    const accountIds = accounts.map(({ account_id }) => account_id)
    const rows = await readPoints(tx, member, { accountIds, from: new Date(to - sparkMs), stepMs: sparkStepMs })
    const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
    const before =
      day_from === undefined
        ? []
        : await lastBefore(tx, member, { accountIds, from: new Date(to - sparkMs), until: new Date(day_from) })
    const dayEquityOf = ({ account_id, currency }: Account) => {
      const last = before.find((each) => each.account_id === account_id)
      return last ? toScale(last.equity, currency) : null
    }
    const pointsOf = ({ account_id, currency }: Account) =>
      (byAccount.get(account_id) ?? []).map(({ at, equity }) => ({
        at: at.getTime(),
        equity: toScale(equity, currency),
      }))
    return {
      from: to - sparkMs,
      to,
      accounts: accounts.map((account) => ({
        _id: account.account_id,
        points: pointsOf(account),
        ...(day_from !== undefined && { day_equity: dayEquityOf(account) }),
      })),
    }
  })
}

type Before = { accountIds: readonly string[]; from: Date; until: Date }

/** The last stored row of each account within a range. */
function lastBefore(tx: Tx, member: Member, { accountIds, from, until }: Before) {
  return tx
    .selectFrom('account_figures')
    .distinctOn('account_id')
    .select(['account_id', 'equity'])
    .where('workspace_id', '=', member.workspaceId)
    .where('account_id', '=', sql<string>`any(${accountIds}::uuid[])`)
    .where('at', '>=', from)
    .where('at', '<=', until)
    .orderBy('account_id')
    .orderBy('at', 'desc')
    .execute()
}

function ownAccounts(tx: Tx, member: Member) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'currency', 'created_at'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
}

async function findOwn(tx: Tx, member: Member, accountId: string): Promise<Account> {
  return (await ownAccounts(tx, member).where('account_id', '=', accountId).executeTakeFirst()) ?? refuseNotFound()
}

async function firstMoment(tx: Tx, member: Member, { account_id, created_at }: Account): Promise<number> {
  const first = await tx
    .selectFrom('account_figures')
    .select('at')
    .where('workspace_id', '=', member.workspaceId)
    .where('account_id', '=', account_id)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return Math.min(created_at.getTime(), first?.at.getTime() ?? Number.POSITIVE_INFINITY)
}

function wholeLife(since: number, to: number): Range {
  const spanMs = Math.max(to - since, dayMs)
  return { spanMs, stepMs: Math.max(storedEveryMs, Math.ceil(spanMs / pointsOfAll)) }
}

type Wanted = { accountIds: readonly string[]; from: Date; stepMs: number }
type Point = { account_id: string; at: Date; balance: string; equity: string }

async function readPoints(tx: Tx, member: Member, { accountIds, from, stepMs }: Wanted): Promise<Point[]> {
  const found = await sql<Point>`
    select distinct on (account_id, step) account_id, at, balance, equity from (
      select *, date_bin(${`${stepMs} milliseconds`}::interval, at, ${from}::timestamptz) as step from account_figures
      where workspace_id = ${member.workspaceId} and account_id = any(${accountIds}::uuid[]) and at >= ${from}
    ) as stepped
    order by account_id, step, at desc`.execute(tx)
  return found.rows
}

/** Age after which only the last row of an hour is kept, and age after which only the last row of a day. */
const hourlyAfterMs = fixedDays.figures_of_minutes * dayMs
const dailyAfterMs = fixedDays.figures_of_hours * dayMs
/** Batch sizes of one transaction. */
const accountsAtOnce = 200
const thinnedAtOnce = 5_000

/** Deletes old rows that no chart uses. Idempotent. */
export async function downsampleAccountMetrics(system: System): Promise<number> {
  const now = system.context.clock.now().getTime()
  const hourly = await thin(system, { before: new Date(now - hourlyAfterMs), to: '1 hour' })
  const daily = await thin(system, { before: new Date(now - dailyAfterMs), to: '1 day' })
  return hourly + daily
}

/** Limits how far back a run reads: earlier runs have thinned older rows. */
const thinnedBackMs = 10 * dayMs

type Thinning = { before: Date; to: '1 hour' | '1 day' }

/** Pages through accounts by key, so that no query reads the whole table and one run deletes all that is due. */
async function thin(system: System, thinning: Thinning): Promise<number> {
  let thinned = 0
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const accountIds = await nextAccounts(system, last)
    if (accountIds.length > 0) thinned += await thinAccounts(system, accountIds, thinning)
    if (accountIds.length < accountsAtOnce) return thinned
    last = accountIds.at(-1) ?? last
  }
}

async function nextAccounts(system: System, after: string): Promise<string[]> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select('account_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('account_id', '>', after)
      .orderBy('account_id')
      .limit(accountsAtOnce)
      .execute(),
  )
  return rows.map(({ account_id }) => account_id)
}

async function thinAccounts(system: System, accountIds: string[], { before, to }: Thinning): Promise<number> {
  const since = new Date(before.getTime() - thinnedBackMs)
  const bin = (column: string) => sql`date_bin(${to}::interval, ${sql.ref(column)}, 'epoch'::timestamptz)`
  let thinned = 0
  for (;;) {
    const deleted = await inTransaction(system, (tx) =>
      sql`
        delete from account_figures where workspace_id = ${system.workspaceId} and (account_id, at) in (
          select account_id, at from (
            select account_id, at, lead(at) over (partition by account_id order by at) as later from account_figures
            where workspace_id = ${system.workspaceId} and account_id = any(${accountIds}::uuid[])
              and at >= ${since} and at < ${before}::timestamptz + ${to}::interval) as points
          where at < ${before} and ${bin('later')} = ${bin('at')} limit ${thinnedAtOnce})`.execute(tx),
    )
    const batch = Number(deleted.numAffectedRows ?? 0n)
    thinned += batch
    if (batch < thinnedAtOnce) return thinned
  }
}
