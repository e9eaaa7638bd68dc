import type { FiltersOf } from '@atrium/contract/list.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import type { DaySum, Mismatch, ReconciliationDay } from '@atrium/contract/reconciliation/desk-calls.ts'
import type { daysList } from '@atrium/contract/reconciliation/desk-list.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff, type System } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { dayIn } from '../foundation/days.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { revisionOf } from '../foundation/revision.ts'
import { readZone } from '../workspaces/today.ts'
import { daysBefore } from './day.ts'

/** Staff, or the operator. */
type Asking = Staff | System

export type Filter = FiltersOf<typeof daysList>

const daysShown = 30
/** A longer range is cut at its older end. */
const daysMax = 92
export const differencesMax = 500
const daysBackMax = 366

export async function listDays(staff: Staff, filter: Filter) {
  authorizeStaff(staff, 'money.read')
  return reading(staff, async (tx) => {
    const zone = await readZone(tx, staff)
    const today = dayIn(staff.context.clock.now(), zone)
    const range = rangeOf(filter, today)
    const days = await readDays(tx, staff, await reachingBack(tx, staff, filter, range), filter)
    const wanted = days.filter(({ day, open }) => day >= range.from || open > 0)
    const shown = filter.only ? wanted.filter(({ open, explained }) => open + explained > 0) : wanted
    const is_cut = range.from !== chosenRange(filter, today).from
    return { days: shown, is_cut, time_zone: zone, today, ...(await readChoices(tx, staff)) }
  })
}

function chosenRange({ from, to }: Filter, today: string): Range {
  const last = to ?? today
  return { from: from ?? daysBefore(last, daysShown - 1), to: last }
}

function rangeOf(filter: Filter, today: string): Range {
  const { from, to } = chosenRange(filter, today)
  const farthest = daysBefore(to, daysMax - 1)
  return { from: [from, farthest].sort().at(-1) ?? from, to }
}

/** The days of an export: those of the screen, without its limit. */
export async function listExportedDays(tx: Tx, staff: Staff, filter: Filter, today: string): Promise<string[]> {
  const range = chosenRange(filter, today)
  const reach = await reachingBack(tx, staff, filter, range)
  const rows = await tx
    .selectFrom('reconciliation_days')
    .select('day')
    .where('workspace_id', '=', staff.workspaceId)
    .where('day', '>=', reach.from)
    .where('day', '<=', reach.to)
    .orderBy('day', 'desc')
    .execute()
  const open = new Set(
    (await countByDay(tx, staff, reach, filter)).flatMap((each) => (each.open > 0 ? [each.day] : [])),
  )
  return rows.map(({ day }) => day).filter((day) => day >= range.from || open.has(day))
}

/** Without chosen dates, includes older days with open mismatches. */
async function reachingBack(tx: Tx, staff: Staff, filter: Filter, range: Range): Promise<Range> {
  if (filter.from || filter.to) return range
  const { oldest } = await tx
    .selectFrom('reconciliation_differences')
    .select(sql<string | null>`min(day)::text`.as('oldest'))
    .where('workspace_id', '=', staff.workspaceId)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  const farthest = daysBefore(range.to, daysBackMax)
  if (oldest === null || oldest >= range.from) return range
  return { from: [oldest, farthest].sort().at(-1) ?? range.from, to: range.to }
}

export async function readDay(asking: Asking, day: string, filter: Filter = {}) {
  if (asking.kind === 'staff') authorizeStaff(asking, 'money.read')
  return reading(asking, async (tx) => {
    const [found] = await readDays(tx, asking, { from: day, to: day }, filter)
    if (!found) refuseNotFound()
    return { day: found, differences: await readMismatches(tx, asking, { from: day, to: day }, filter) }
  })
}

export async function countOpen(staff: Staff): Promise<number> {
  authorizeStaff(staff, 'money.read')
  return reading(staff, async (tx) => {
    const { open } = await tx
      .selectFrom('reconciliation_differences')
      .select(sql<number>`count(*)::int`.as('open'))
      .where('workspace_id', '=', staff.workspaceId)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    return open
  })
}

type Range = { from: string; to: string }

export async function readDays(tx: Tx, asking: Asking, range: Range, filter: Filter): Promise<ReconciliationDay[]> {
  const rows = await tx
    .selectFrom('reconciliation_days')
    .select(['day', 'state', 'compared_at'])
    .where('workspace_id', '=', asking.workspaceId)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .orderBy('day', 'desc')
    .execute()
  const platforms = Map.groupBy(await readPlatforms(tx, asking, range), ({ day }) => day)
  const sums = Map.groupBy(await readSums(tx, asking, range, filter), ({ day }) => day)
  const counts = new Map((await countByDay(tx, asking, range, filter)).map((row) => [row.day, row]))
  return rows.map(({ day, state, compared_at }) => ({
    day,
    state: state as ReconciliationDay['state'],
    compared_at: compared_at?.getTime() ?? null,
    platforms: (platforms.get(day) ?? []).map(({ day: _, ...platform }) => platform),
    sums: (sums.get(day) ?? []).map(({ day: _, ...sum }) => sum),
    open: counts.get(day)?.open ?? 0,
    explained: counts.get(day)?.explained ?? 0,
  }))
}

async function readPlatforms(tx: Tx, asking: Asking, { from, to }: Range) {
  const rows = await tx
    .selectFrom('reconciliation_readings as reading')
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'reading.workspace_id')
        .onRef('platform.platform_id', '=', 'reading.platform_id'),
    )
    .select(['reading.day', 'platform.platform_id as _id', 'platform.name', 'reading.accounts_read'])
    .select(['reading.accounts_total', 'reading.is_complete', 'reading.read_at', 'reading.problem'])
    .where('reading.workspace_id', '=', asking.workspaceId)
    .where('reading.day', '>=', from)
    .where('reading.day', '<=', to)
    .orderBy('platform.name')
    .orderBy('platform.platform_id')
    .execute()
  return rows.map(({ read_at, ...row }) => ({ ...row, read_at: read_at?.getTime() ?? null }))
}

type SumOfDay = DaySum & { day: string }

async function readSums(tx: Tx, asking: Asking, { from, to }: Range, filter: Filter): Promise<SumOfDay[]> {
  const rows = await tx
    .selectFrom('reconciliation_sums')
    .select(['day', 'currency', 'method', 'type', 'portal', 'provider', 'platform'])
    .where('workspace_id', '=', asking.workspaceId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where(fits(filter))
    .orderBy('day', 'desc')
    .orderBy('currency')
    .orderBy('type')
    .orderBy('method')
    .execute()
  return rows.map(({ currency, type, ...row }) => ({
    ...row,
    currency,
    type: type as DaySum['type'],
    portal: toScale(row.portal, currency),
    provider: row.provider === null ? null : toScale(row.provider, currency),
    platform: row.platform === null ? null : toScale(row.platform, currency),
  }))
}

const fits = ({ currency, method }: Filter) =>
  sql<boolean>`(${currency ?? null}::text is null or currency = ${currency ?? null})
    and (${method ?? null}::text is null or method = ${method ?? null})`

function countByDay(tx: Tx, asking: Asking, { from, to }: Range, filter: Filter) {
  return tx
    .selectFrom('reconciliation_differences')
    .select('day')
    .select(sql<number>`count(*) filter (where state = 'open')::int`.as('open'))
    .select(sql<number>`count(*) filter (where state = 'explained')::int`.as('explained'))
    .where('workspace_id', '=', asking.workspaceId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where(fits(filter))
    .groupBy('day')
    .execute()
}

/** Filter options: the currencies and methods that occurred. */
async function readChoices(tx: Tx, staff: Staff): Promise<{ currencies: string[]; methods: string[] }> {
  const { rows } = await sql<{ currency: string; method: string }>`
    select distinct currency, method from reconciliation_sums where workspace_id = ${staff.workspaceId}::uuid
    union select distinct currency, method from reconciliation_differences
      where workspace_id = ${staff.workspaceId}::uuid`.execute(tx)
  const sorted = (words: string[]) => [...new Set(words)].filter((word) => word !== '').sort()
  return {
    currencies: sorted(rows.map(({ currency }) => currency)),
    methods: sorted(rows.map(({ method }) => method)),
  }
}

/** Open mismatches first; at most `differencesMax`. */
export async function readMismatches(tx: Tx, asking: Asking, range: Range, filter: Filter): Promise<Mismatch[]> {
  const rows = await selectMismatchesOf(tx, asking, range, filter)
    .orderBy(sql`array_position(array['open', 'explained', 'vanished'], difference.state)`)
    .orderBy('difference.day', 'desc')
    .orderBy('difference.difference_id')
    .limit(differencesMax)
    .execute()
  return rows.map(shapeMismatch)
}

type Part = { range: Range; filter: Filter; after: string | undefined }

/** The next ones of an export, oldest first: a state would move a row to another place between two parts. */
export async function listMismatches(tx: Tx, staff: Staff, { range, filter, after }: Part): Promise<Mismatch[]> {
  const rows = await selectMismatchesOf(tx, staff, range, filter)
    .$if(after !== undefined, (found) => found.where('difference.difference_id', '>', after ?? ''))
    .orderBy('difference.difference_id')
    .limit(differencesMax)
    .execute()
  return rows.map(shapeMismatch)
}

const selectMismatchesOf = (tx: Tx, asking: Asking, { from, to }: Range, { currency, method }: Filter) =>
  selectMismatches(tx, asking)
    .where('difference.day', '>=', from)
    .where('difference.day', '<=', to)
    .where(sql<boolean>`(${currency ?? null}::text is null or difference.currency = ${currency ?? null})`)
    .where(sql<boolean>`(${method ?? null}::text is null or difference.method = ${method ?? null})`)

export async function readMismatch(tx: Tx, staff: Staff, id: string): Promise<Mismatch> {
  const row = await selectMismatches(tx, staff).where('difference.difference_id', '=', id).executeTakeFirst()
  return row ? shapeMismatch(row) : refuseNotFound()
}

function selectMismatches(tx: Tx, asking: Asking) {
  return tx
    .selectFrom('reconciliation_differences as difference')
    .leftJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'difference.workspace_id')
        .onRef('account.account_id', '=', 'difference.account_id'),
    )
    .leftJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .leftJoin('balance_transactions as transaction', (join) =>
      join
        .onRef('transaction.workspace_id', '=', 'difference.workspace_id')
        .onRef('transaction.transaction_id', '=', 'difference.transaction_id'),
    )
    .leftJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'difference.workspace_id')
        .onRef('colleague.staff_id', '=', 'difference.explained_by'),
    )
    .selectAll('difference')
    .select(['account.platform_login', 'platform.name as platform_name', 'transaction.ticket', 'transaction.type'])
    .select('colleague.name as colleague_name')
    .where('difference.workspace_id', '=', asking.workspaceId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectMismatches>['execute']>>[number]

function shapeMismatch(row: Row): Mismatch {
  const { account_id, transaction_id, currency } = row
  const scaled = (amount: string | null) => (amount === null ? null : toScale(amount, currency))
  const amounts = { portal: scaled(row.portal), provider: scaled(row.provider), platform: scaled(row.platform) }
  return {
    _id: row.difference_id,
    day: row.day,
    kind: row.kind as Mismatch['kind'],
    currency,
    method: row.method,
    ...amounts,
    provider_currency: row.provider_currency,
    reference: row.reference,
    account: account_id
      ? { _id: account_id, platform_login: row.platform_login ?? '', platform_name: row.platform_name ?? '' }
      : null,
    transaction: transaction_id
      ? {
          _id: transaction_id,
          ticket: row.ticket ?? '',
          type: row.type === 'withdrawal' ? ('withdrawal' as const) : ('deposit' as const),
        }
      : null,
    state: row.state as Mismatch['state'],
    note: row.note,
    explained_by: row.colleague_name,
    explained_at: row.explained_at?.getTime() ?? null,
    found_at: row.found_at.getTime(),
    revision: revisionOf(amounts),
  }
}
