import { isMore } from '@atrium/contract/money/money.ts'
import { type RawBuilder, sql } from 'kysely'
import { MAX, NIL } from 'uuid'
import type { System } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'

/** One violation of the ledger's rules. `subject` is a transaction, an intent's tag or an account. */
export type Finding = {
  kind: FindingKind
  subject: string
  detail: string
  platform_id?: string
  platform_login?: string
}
export type FindingKind =
  | (typeof ofOneTransaction)[number]
  | 'reserved-below-zero'
  | 'missing-on-platform'
  | 'twice-on-platform'
  | 'other-amount-on-platform'
  | 'unknown-on-platform'
  | 'refused-on-platform'

/** Findings whose subject is a transaction. */
const ofOneTransaction = ['other-sum', 'no-ticket', 'ticket-twice'] as const

/** Transactions per statement: keeps each statement below its time limit, whatever the total. */
const pageRows = 2_000
/** Every round checks the rows of this period, wherever the walk through all rows is. */
const latelyMs = 6 * 3_600_000

/** `after`: the last transaction of the previous round, null at the start. `rowsMax`: the size of this round. */
export type Walk = { after: string | null; rowsMax: number }
/** `walkedTo`: where the next round continues; null after the last transaction. */
type Walked = { found: Finding[]; walkedTo: string | null }

/** Checks the whole internal ledger, however long it takes. */
export async function checkInternalLedger(system: System): Promise<Finding[]> {
  const { found } = await walk(system, { after: null, rowsMax: Number.POSITIVE_INFINITY })
  return uniqueFindings([...found, ...(await checkReserved(system)), ...(await checkNamedOperations(system))])
}

/**
 * A round through the internal ledger in bounded time: recent transactions, transactions with findings, and the next
 * part of all others.
 */
export async function checkOwnRound(system: System, from: Walk): Promise<Walked> {
  const found: Finding[] = []
  for (const ids of pagesOf(await reading(system, (tx) => readLately(tx, system))))
    found.push(
      ...(await reading(system, (tx) => checkTransactions(tx, system, sql`t.transaction_id = any(${ids}::uuid[])`))),
    )
  const walked = await walk(system, from)
  found.push(...walked.found, ...(await checkReserved(system)), ...(await checkNamedOperations(system)))
  return { found: uniqueFindings(found), walkedTo: walked.walkedTo }
}

/** Two pages may report the same finding. */
const uniqueFindings = (found: readonly Finding[]): Finding[] => [
  ...new Map(found.map((each) => [`${each.kind} ${each.subject}`, each])).values(),
]

const [beforeAll, afterAll] = [NIL, MAX]

async function walk(system: System, { after, rowsMax }: Walk): Promise<Walked> {
  const found: Finding[] = []
  let from = after ?? beforeAll
  for (let left = rowsMax; left > 0; left -= pageRows) {
    const end = await reading(system, async (tx) => {
      const to = await readPageEnd(tx, system, from, Math.min(pageRows, left))
      const page = sql<boolean>`t.transaction_id > ${from} and t.transaction_id <= ${to ?? afterAll}`
      found.push(...(await checkTransactions(tx, system, page)))
      return to
    })
    if (end === null) return { found, walkedTo: null }
    from = end
  }
  return { found, walkedTo: from }
}

/** The last id of the next page; null when fewer rows remain. */
async function readPageEnd(tx: Tx, system: System, from: string, rows: number): Promise<string | null> {
  // The planner underestimates the workspace's rows and would sort all of them for each page.
  await sql`set local enable_sort = off`.execute(tx)
  const last = await tx
    .selectFrom('balance_transactions')
    .select('transaction_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('transaction_id', '>', from)
    .orderBy('transaction_id')
    .offset(rows - 1)
    .limit(1)
    .executeTakeFirst()
  return last?.transaction_id ?? null
}

/** Recently changed by an intent, recently approved, or with a finding, which is removed once the row is correct. */
async function readLately(tx: Tx, system: System): Promise<string[]> {
  const { workspaceId } = system
  const since = new Date(system.context.clock.now().getTime() - latelyMs)
  const { rows } = await sql<{ id: string }>`
    select transaction_id as id from platform_intents
    where workspace_id = ${workspaceId} and created_at >= ${since} and transaction_id is not null
    union select transaction_id from platform_intents
    where workspace_id = ${workspaceId} and state = 'done' and done_at >= ${since} and transaction_id is not null
    union select transaction_id from balance_transactions
    where workspace_id = ${workspaceId} and state = 'approved' and coalesce(decided_at, created_at) >= ${since}
    union select subject::uuid from ledger_findings
    where workspace_id = ${workspaceId} and kind = any(${[...ofOneTransaction]}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

type Transaction = {
  transaction_id: string
  account_id: string
  state: string
  platform_ticket: string | null
  moved: string
  due: string
  has_other_sum: boolean
  has_no_ticket: boolean
}

/**
 * The sum of each transaction's intents equals the amount its state implies, and its ticket is that of its own done
 * intent alone. Transactions without an intent are imported history and are skipped.
 */
async function checkTransactions(tx: Tx, system: System, which: RawBuilder<unknown>): Promise<Finding[]> {
  const { rows } = await sql<Transaction>`
    with each as (
      select t.transaction_id, t.account_id, t.state, t.platform_ticket,
        coalesce(sum(i.amount) filter (where i.state = 'done'), 0) as moved,
        case when t.type = 'deposit' and t.state = 'approved' then t.amount
          when t.type = 'withdrawal' and t.state in ('paying', 'approved', 'returning') then -t.amount
          else 0 end as due,
        count(*) filter (where i.state = 'done' and i.ticket = t.platform_ticket) as known
      from balance_transactions t
      join platform_intents i on i.workspace_id = t.workspace_id and i.transaction_id = t.transaction_id
      where t.workspace_id = ${system.workspaceId} and ${which}
      group by t.workspace_id, t.transaction_id)
    select transaction_id, account_id, state, platform_ticket, moved::text, due::text,
      moved <> due as has_other_sum,
      platform_ticket is not null and known <> 1 as has_no_ticket
    from each
    where moved <> due or platform_ticket is not null and known <> 1
    order by transaction_id`.execute(tx)
  const found = rows.flatMap((row): Finding[] => {
    const subject = row.transaction_id
    const detail = `${row.state}: ${row.moved} was moved, ${row.due} is due.`
    return [
      ...(row.has_other_sum ? [{ kind: 'other-sum' as const, subject, detail }] : []),
      ...(row.has_no_ticket ? [{ kind: 'no-ticket' as const, subject, detail: ticketDetail(row) }] : []),
    ]
  })
  const twice = await findTwins(
    tx,
    system,
    rows.filter(({ has_no_ticket }) => has_no_ticket),
  )
  return [
    ...found,
    ...twice.map((row) => ({ kind: 'ticket-twice' as const, subject: row.id, detail: ticketDetail(row) })),
  ]
}

const ticketDetail = ({ platform_ticket }: { platform_ticket: string | null }) => `Ticket ${platform_ticket}.`

type Twin = { id: string; account_id: string; platform_ticket: string }

/** A ticket belongs to one intent, so when two transactions show the same one, at least one of them is wrong. */
async function findTwins(tx: Tx, system: System, suspects: readonly Transaction[]): Promise<Twin[]> {
  if (suspects.length === 0) return []
  const { rows } = await sql<Twin>`
    select t.transaction_id as id, t.account_id, t.platform_ticket from balance_transactions t
    where t.workspace_id = ${system.workspaceId}
      and t.account_id = any(${suspects.map(({ account_id }) => account_id)}::uuid[])
      and t.platform_ticket = any(${suspects.map(({ platform_ticket }) => platform_ticket)}::text[])
      and exists (select from platform_intents i where i.workspace_id = t.workspace_id
        and i.transaction_id = t.transaction_id)`.execute(tx)
  const isSuspect = new Set(suspects.map(placeOf))
  return [...Map.groupBy(rows, placeOf)].flatMap(([place, same]) =>
    same.length > 1 && isSuspect.has(place) ? same : [],
  )
}

const placeOf = (row: Pick<Transaction, 'account_id' | 'platform_ticket'>) => `${row.account_id} ${row.platform_ticket}`

/**
 * Of an operation that people named and that another intent of the platform has, at most one is true. Two that the
 * platform itself showed are no finding.
 */
function checkNamedOperations(system: System): Promise<Finding[]> {
  return reading(system, async (tx) => {
    const { rows } = await sql<{ id: string; ticket: string }>`
      select named.transaction_id as id, named.decided_ticket as ticket from platform_intents named
      where named.workspace_id = ${system.workspaceId} and named.decided_ticket is not null
        and named.transaction_id is not null and exists (select from platform_intents other
          where other.workspace_id = named.workspace_id and other.platform_id = named.platform_id
            and other.intent_id <> named.intent_id
            and (other.ticket = named.decided_ticket or other.decided_ticket = named.decided_ticket))`.execute(tx)
    return rows.map(({ id, ticket }) => ({ kind: 'ticket-twice', subject: id, detail: `Ticket ${ticket}.` }))
  })
}

function checkReserved(system: System): Promise<Finding[]> {
  return reading(system, async (tx) => {
    const { rows } = await sql<{ account_id: string; reserved: string }>`
      select account_id, sum(amount)::text as reserved from balance_transactions
      where workspace_id = ${system.workspaceId} and type = 'withdrawal' and state in ('pending', 'debiting', 'checking')
      group by account_id`.execute(tx)
    return rows
      .filter(({ reserved }) => isMore('0', reserved))
      .map(({ account_id, reserved }) => ({ kind: 'reserved-below-zero', subject: account_id, detail: reserved }))
  })
}

function pagesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / pageRows) }, (_, page) =>
    ids.slice(page * pageRows, (page + 1) * pageRows),
  )
}
