import { depositsList, withdrawalsList } from '@atrium/contract/funding/desk-list.ts'
import { type TransactionState, transactionStates } from '@atrium/contract/funding/states.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { FiltersOf } from '@atrium/contract/list.ts'
import type { DocumentsStatus } from '@atrium/contract/members/states.ts'
import { subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { readTypedNumber } from '@atrium/contract/money/typed-number.ts'
import type { OrderState } from '@atrium/contract/payments/orders.ts'
import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import type { Tx } from '../foundation/database/database.ts'
import { type Column, type Condition, condition, countUpTo, type Definition, defineList } from '../foundation/list.ts'
import { leavesOut, meetsSearch, searchWords, someWith } from '../foundation/member-labels.ts'
import type { SecondApproval } from '../money-decisions/second-approval.ts'
import { type Between, momentsOf } from '../workspaces/today.ts'
import { startSettings } from '../workspaces/workspace.ts'
import { findByReference } from './by-reference.ts'
import { selectOwnedTransactions } from './owned-transactions.ts'
import { countApprovals, shapeApprovals } from './transaction-approvals.ts'

/** The shared part of the desk's deposit and withdrawal queues. */
export type TransactionType = 'deposit' | 'withdrawal'

export const selectTransactions = (tx: Tx, staff: Staff, type: TransactionType) =>
  selectOwnedTransactions(tx, staff)
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .where('transaction.type', '=', type)

export const transactionColumns = [
  'transaction.type',
  'transaction.transaction_id',
  'transaction.ticket',
  'transaction.state',
  'transaction.amount',
  'transaction.currency',
  'transaction.created_at',
  'transaction.payment_method',
  'transaction.platform_ticket',
  'member.member_id',
  'member.first_name',
  'member.last_name',
  'member.customer_number',
  'member.documents_status',
  'account.account_id',
  'account.platform_login',
  'account.live_account',
  'platform.type as platform_type',
] as const

/** The flags of a queue row, read for the rows of the page only. */
export const transactionMarks = [
  sql<boolean>`exists (select from platform_intents as intent where intent.workspace_id = transaction.workspace_id
    and intent.transaction_id = transaction.transaction_id and intent.state = 'stuck')`.as('is_stuck'),
  sql<
    string | null
  >`(select ordered.state from deposit_orders as ordered where ordered.workspace_id = transaction.workspace_id
    and ordered.transaction_id = transaction.transaction_id)`.as('payment_state'),
] as const

type Selected = Awaited<ReturnType<typeof selectSome>>[number]
const selectSome = (tx: Tx, staff: Staff) =>
  selectTransactions(tx, staff, 'deposit').select(transactionColumns).select(transactionMarks).execute()

export function shapeTransaction(row: Selected) {
  return {
    _id: row.transaction_id,
    ticket: row.ticket,
    state: row.state as TransactionState,
    amount: toScale(row.amount, row.currency),
    currency: row.currency,
    created_at: row.created_at.getTime(),
    member: {
      _id: row.member_id,
      name: `${row.first_name} ${row.last_name}`,
      customer_number: row.customer_number,
      documents_status: row.documents_status as DocumentsStatus,
    },
    account: {
      _id: row.account_id,
      platform_login: row.platform_login,
      platform_type: row.platform_type,
      live_account: row.live_account,
    },
    payment_method: row.payment_method,
    platform_ticket: row.platform_ticket,
    is_stuck: row.is_stuck,
    payment_state: row.payment_state as OrderState | null,
  }
}

const selectListed = (tx: Tx, staff: Staff, type: TransactionType) =>
  selectTransactions(tx, staff, type)
    .select([
      ...transactionColumns,
      'transaction.fee',
      'transaction.destination',
      'transaction.comment',
      'transaction.decided_at',
    ])
    .select([
      'transaction.paid_at',
      'transaction.payout_reference',
      'transaction.rejection_reason',
      'transaction.rejection_note',
    ])
    .select('transaction.approvals_needed')
    .select(transactionMarks)
    .select(countApprovals)

type Listed = Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number]

/** Includes fields for the CSV table that the call's answer leaves out. */
const shapeListed = (row: Listed, settings: SecondApproval) => ({
  ...shapeTransaction(row),
  ...shapeApprovals(row, settings),
  fee: toScale(row.fee, row.currency),
  net: toScale(subtractAmounts(row.amount, row.fee), row.currency),
  destination: row.destination,
  comment: row.comment,
  decided_at: row.decided_at?.getTime() ?? null,
  paid_at: row.paid_at?.getTime() ?? null,
  payout_reference: row.payout_reference,
  rejection_reason: row.rejection_reason,
  rejection_note: row.rejection_note,
})

const table = 'balance_transactions as transaction'

type Shown = ReturnType<typeof shapeListed>
type Numbers = { total: number; total_is_least: boolean; counts: Record<TransactionState, number> }
type Wanted = Awaited<ReturnType<typeof lookUp>>
type Queue = Definition<typeof depositsList, object, Listed, Shown, Numbers, Wanted>
type Filter = Pick<FiltersOf<typeof depositsList>, 'q' | 'from' | 'to'>

const columns: Column<Shown>[] = [
  ['Requested (UTC)', (row) => spreadsheetMoment(row.created_at)],
  ['Ticket', (row) => row.ticket],
  ['State', (row) => row.state],
  ['Customer number', (row) => row.member.customer_number],
  ['Name', (row) => row.member.name],
  ['Account', (row) => row.account.platform_login],
  ['Platform', (row) => row.account.platform_type],
  ['Kind', (row) => (row.account.live_account ? 'live' : 'demo')],
  ['Amount', ({ amount }) => ({ amount })],
  ['Fee', ({ fee }) => ({ amount: fee })],
  ['Currency', (row) => row.currency],
  ['Method', (row) => row.payment_method.replace(/^psp:/, '')],
  ['Paid to', (row) => row.destination?.replace(/^psp:/, '') ?? null],
  ['Comment', (row) => row.comment],
  ['Decided (UTC)', (row) => spreadsheetMoment(row.decided_at)],
  ['Paid out (UTC)', (row) => spreadsheetMoment(row.paid_at)],
  ['Platform ticket', (row) => row.platform_ticket],
  ['Reference', (row) => row.payout_reference],
  ['Reason', (row) => row.rejection_reason],
  ['Note', (row) => row.rejection_note],
]

/** The shared definition of the deposit and withdrawal queues. */
const queueOf = (type: TransactionType): Omit<Queue, 'list'> => ({
  right: 'money.read',
  table,
  id: 'transaction.transaction_id',
  select: (tx, staff) => selectListed(tx, staff, type),
  isFoundFirst: true,
  prepare: ({ tx, staff, filter }) => lookUp(tx, staff, type, filter),
  where: () => condition`transaction.type = ${type}`,
  filters: {
    state: (state) => condition`transaction.state = ${state}`,
    q: (_, { known }) => known.met,
    from: (_, { known }) => condition`transaction.created_at >= ${known.since}`,
    to: (_, { known }) => condition`transaction.created_at < ${known.until}`,
  },
  sort: ({ order }) => ({
    column: 'transaction.created_at',
    direction: order === 'newest' ? 'desc' : 'asc',
    at: (row) => row.created_at,
  }),
  shape: async (row, _, { settings }) => shapeListed(row, await settings),
  isCounted: false,
  async beside({ tx, staff, filter, known, met }) {
    const { state } = filter
    const hasDays = Boolean(filter.from || filter.to)
    const isNarrowed = hasDays || Boolean(filter.q)
    // A search that matches too many members to count shows the counts of the whole queue.
    const isCounted = isNarrowed && (hasDays || !known.some)
    const counts = isCounted
      ? await countWantedByState(tx, await met({ ...filter, state: undefined }), known)
      : await countByState(tx, staff, type)
    if (isNarrowed) return { counts, ...(await countWanted(tx, await met(filter), known)) }
    const all = state ? counts[state] : Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { counts, total: Math.min(all, limits.countedMax), total_is_least: all >= limits.countedMax }
  },
  columns,
})

export const deskDeposits = defineList({ list: depositsList, ...queueOf('deposit') })
export const deskWithdrawals = defineList<typeof withdrawalsList, Listed, Shown, object, Numbers, Wanted>({
  list: withdrawalsList,
  ...queueOf('withdrawal'),
})

/** Accepts a ticket as displayed (T-1042) or as #1042. */
const spelledTicket = /^(?:t-|#)\s*(\d+)$/i

/** The search condition and the time range. `some`: the members to count, where the search matches too many. */
async function lookUp(tx: Tx, staff: Staff, type: TransactionType, filter: Filter) {
  const settings = startSettings(tx, staff)
  const between = await momentsOf(tx, staff, filter)
  const q = filter.q && (spelledTicket.exec(filter.q)?.[1] ?? filter.q)
  const all = { settings, ...between, some: null, isPart: false }
  if (!q) return { ...all, met: condition`true` }
  const amounts = amountsOf(q)
  const referred = await findByReference(tx, staff, q)
  if (amounts.length > 0 || referred.length > 0) {
    const { found, isPart } = await findByAmount(tx, staff, { type, amounts, ...between })
    return { ...all, met: await hasNumber(tx, staff, q, [...referred, ...found]), isPart }
  }
  const searched = await searchWords(tx, staff, q)
  return { ...all, met: condition`${meetsSearch(searched, 'transaction')}`, some: someWith(staff, searched) }
}

/** All readings of an amount: a comma or a point before three digits is ambiguous. */
function amountsOf(q: string): string[] {
  const read = ['en', 'de'].map((language) => readTypedNumber(q, { language, decimals: 8 }))
  return [...new Set(read.flatMap((one) => ('value' in one && !one.value.startsWith('-') ? [one.value] : [])))]
}

/** More equal amounts than a person reads through. */
const sameAmountMax = 1_000
type ByAmount = Between & { type: TransactionType; amounts: string[] }

/**
 * No index serves an amount behind row security, since comparing decimals is not leakproof: searches the latest rows of
 * the chosen days, at most as many as are counted.
 */
async function findByAmount(tx: Tx, staff: Staff, { type, amounts, since, until }: ByAmount) {
  if (amounts.length === 0) return { found: [], isPart: false }
  const { rows } = await sql<{ found: string[] | null; scanned: number }>`
    select array_agg(transaction_id order by created_at desc) filter (where amount = any(${amounts}::numeric[])) as found,
      count(*)::int as scanned
    from (
      select transaction_id, amount, created_at from balance_transactions
      where workspace_id = ${staff.workspaceId}::uuid and type = ${type}
        and created_at >= ${since ?? new Date(0)} and created_at < ${until ?? 'infinity'}
      order by created_at desc limit ${limits.countedMax}) as latest`.execute(tx)
  const found = rows[0]?.found ?? []
  const isPart = (rows[0]?.scanned ?? 0) >= limits.countedMax || found.length > sameAmountMax
  return { found: found.slice(0, sameAmountMax), isPart }
}

const isNumber = /^\d{1,18}$/

/**
 * A number matches a whole ticket, customer number, login, payment reference or amount; words match prefixes of a
 * member's words.
 */
async function hasNumber(tx: Tx, staff: Staff, q: string, known: string[]) {
  const isKnown = condition`transaction.transaction_id = any(${known}::uuid[])`
  if (!isNumber.test(q)) return isKnown
  const members = await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('customer_number', '=', q)
    .execute()
  // Joins via platforms: the index on logins is prefixed by platform_id.
  const accounts = await tx
    .selectFrom('trading_platforms as platform')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'platform.workspace_id')
        .onRef('account.platform_id', '=', 'platform.platform_id'),
    )
    .select('account.account_id')
    .where('platform.workspace_id', '=', staff.workspaceId)
    .where('account.platform_login', '=', q)
    .execute()
  return condition`(${isKnown} or transaction.ticket = ${q}::bigint
    or transaction.member_id = any(${members.map((row) => row.member_id)}::uuid[])
    or transaction.account_id = any(${accounts.map((row) => row.account_id)}::uuid[]))`
}

const ofSome = (met: Condition, { some }: Wanted): Condition =>
  some ? condition`${met} and transaction.member_id in ${some}` : met

/** `defineList` adds the rows paged through so far, so that every page is reachable when this count is incomplete. */
async function countWanted(tx: Tx, met: Condition, known: Wanted) {
  const total = await countUpTo(tx, table, ofSome(met, known))
  const isCut = total >= limits.countedMax || known.isPart
  return { total, total_is_least: isCut || (known.some !== null && (await leavesOut(tx, known.some))) }
}

/** Counts the search results by state, so that the tabs show where they are. */
async function countWantedByState(tx: Tx, met: Condition, known: Wanted): Promise<Record<TransactionState, number>> {
  const none = Object.fromEntries(transactionStates.map((state) => [state, 0])) as Record<TransactionState, number>
  if (known.some) {
    for (const state of transactionStates)
      none[state] = await countUpTo(tx, table, condition`${ofSome(met, known)} and transaction.state = ${state}`)
    return none
  }
  const { rows } = await sql<{ state: string; total: number }>`
    select state, count(*)::int as total from (
      select transaction.state from balance_transactions as transaction where ${met} limit ${limits.countedMax}) as counted
    group by state`.execute(tx)
  return { ...none, ...Object.fromEntries(rows.map(({ state, total }) => [state, total])) }
}

/** Reads only the index on states, each up to the counting limit. */
async function countByState(tx: Tx, staff: Staff, type: TransactionType): Promise<Record<TransactionState, number>> {
  const counts = transactionStates.map((state) =>
    sql<number>`(select count(*)::int from (
      select from balance_transactions where workspace_id = ${staff.workspaceId}::uuid and type = ${type} and state = ${state}
      limit ${limits.countedMax}) as counted)`.as(state),
  )
  return (await tx.selectNoFrom(counts).executeTakeFirstOrThrow()) as Record<TransactionState, number>
}
