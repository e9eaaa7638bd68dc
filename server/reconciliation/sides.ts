import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { Span } from '../foundation/days.ts'

/** An operation that the portal booked on a platform. Amounts are signed: a deposit is positive. */
export type Booked = {
  transaction_id: string
  type: 'deposit' | 'withdrawal'
  method: string
  currency: string
  account_id: string
  amount: string
  ticket: string
  at: Date
  /** The platform's amount for this ticket; null if it has none. */
  found: string | null
  /**
   * How far the account was read for this day; null if never. One that the platform deleted since is read no more, but
   * what was found missing before stays missing.
   */
  read_to: Date | null
}

/** An operation on a platform without a row of ours. */
export type UnmatchedOperation = {
  account_id: string
  ticket: string
  amount: string
  currency: string
  /** The transaction whose tag it carries. */
  transaction_id: string | null
  /** Its transaction was booked already, with another ticket. */
  is_second: boolean
}

/** An order at a payment provider: the agreed amount, the outcome here, and the provider's report. */
export type Payment = {
  order_id: string
  transaction_id: string
  account_id: string
  method: string
  currency: string
  charge: string
  fee: string
  reference: string | null
  is_paid: boolean
  /** The amount credited to the account; null if none. */
  credited: string | null
  is_withdrawn: boolean
  reported_amount: string | null
  reported_currency: string | null
  /** Number of distinct payments that the provider reported. */
  payments: number
  is_returned: boolean
}

/** A payment proven by a provider that belongs to no order of ours. */
export type Unknown = {
  notification_id: string
  method: string
  amount: string | null
  currency: string | null
  reference: string | null
}

/** A reference used for more than one paid withdrawal, or a withdrawal that a provider paid more than once. */
export type SharedPayout = {
  transaction_id: string
  account_id: string
  method: string
  currency: string
  amount: string
  reference: string
}

/** A provider's payment of a withdrawal debited on this day, including our fee. */
export type PaidOut = {
  method: string
  currency: string
  /** Not positive; null while the outcome is unknown or in manual review. */
  amount: string | null
}

/** A payout that came back to the provider, on the day of its credit. */
type CameBack = { method: string; currency: string; amount: string }

export type Sides = {
  booked: Booked[]
  unmatchedOperations: UnmatchedOperation[]
  payments: Payment[]
  paidOut: PaidOut[]
  cameBack: CameBack[]
  unknown: Unknown[]
  shared: SharedPayout[]
}

export async function readSides(tx: Tx, system: System, day: string, span: Span): Promise<Sides> {
  return {
    booked: await readBooked(tx, system, day, span),
    unmatchedOperations: await readUnmatchedOperations(tx, system, span),
    payments: await readPayments(tx, system, span),
    paidOut: await readPaidOut(tx, system, span),
    cameBack: await readCameBack(tx, system, span),
    unknown: await readUnknown(tx, system, span),
    shared: await readShared(tx, system, span),
  }
}

/** Finished intents, and imported history with the platform's own ticket. */
const movedIn = ({ workspaceId }: System, { from, to }: Span) => sql`
  select t.transaction_id, t.type, t.payment_method as method, i.currency, t.account_id, i.amount, i.ticket,
    i.done_at as at
  from platform_intents i
  join balance_transactions t on t.workspace_id = i.workspace_id and t.transaction_id = i.transaction_id
  where i.workspace_id = ${workspaceId}::uuid and i.state = 'done' and i.done_at >= ${from} and i.done_at < ${to}
  union all
  select t.transaction_id, t.type, t.payment_method, t.currency, t.account_id,
    case t.type when 'deposit' then t.amount else -t.amount end, t.platform_ticket,
    coalesce(t.decided_at, t.created_at)
  from balance_transactions t
  where t.workspace_id = ${workspaceId}::uuid and t.state = 'approved'
    and coalesce(t.decided_at, t.created_at) >= ${from} and coalesce(t.decided_at, t.created_at) < ${to}
    and not exists (select from platform_intents i where i.workspace_id = t.workspace_id
      and i.transaction_id = t.transaction_id)`

export async function hasBooked(tx: Tx, system: System, accountId: string, span: Span): Promise<boolean> {
  const { rows } = await sql`
    select from (${movedIn(system, span)}) as moved where account_id = ${accountId}::uuid limit 1`.execute(tx)
  return rows.length > 0
}

/** Demo funds are excluded. */
async function readBooked(tx: Tx, system: System, day: string, span: Span): Promise<Booked[]> {
  const { workspaceId } = system
  const { rows } = await sql<Booked>`
    with moved as (${movedIn(system, span)})
    select m.transaction_id, m.type, m.method, m.currency, m.account_id, m.amount::text as amount, m.ticket, m.at,
      o.amount::text as found, case when m.account_id = any(r.unread_accounts) and not exists (
        select from reconciliation_differences d where d.workspace_id = r.workspace_id and d.day = r.day
          and d.kind = 'missing_at_platform' and d.subject = m.account_id::text || '/' || m.ticket and d.state <> 'vanished')
        then null else r.read_to end as read_to
    from moved m
    join trading_accounts a on a.workspace_id = ${workspaceId}::uuid and a.account_id = m.account_id and a.live_account
    left join platform_operations o on o.workspace_id = a.workspace_id and o.account_id = m.account_id
      and o.ticket = m.ticket
    left join reconciliation_readings r on r.workspace_id = a.workspace_id and r.day = ${day}
      and r.platform_id = a.platform_id
    order by m.at, m.transaction_id`.execute(tx)
  return rows
}

async function readUnmatchedOperations(
  tx: Tx,
  { workspaceId }: System,
  { from, to }: Span,
): Promise<UnmatchedOperation[]> {
  const { rows } = await sql<UnmatchedOperation>`
    select o.account_id, o.ticket, o.amount::text as amount, o.currency, i.transaction_id,
      coalesce(i.state = 'done', false) as is_second
    from platform_operations o
    join trading_accounts a on a.workspace_id = o.workspace_id and a.account_id = o.account_id and a.live_account
    left join platform_intents i on i.workspace_id = o.workspace_id and i.platform_id = a.platform_id and i.tag = o.tag
    where o.workspace_id = ${workspaceId}::uuid and o.at >= ${from} and o.at < ${to}
      and not exists (select from platform_intents known where known.workspace_id = o.workspace_id
        and known.platform_id = a.platform_id and known.platform_login = a.platform_login
        and known.ticket = o.ticket and known.state = 'done')
      and not exists (select from balance_transactions t where t.workspace_id = o.workspace_id
        and t.account_id = o.account_id and t.platform_ticket = o.ticket)
    order by o.at, o.ticket`.execute(tx)
  return rows
}

/** Each order on one day: that of its credit, otherwise that of its proven payment. */
async function readPayments(tx: Tx, { workspaceId }: System, { from, to }: Span): Promise<Payment[]> {
  const { rows } = await sql<Payment>`
    with touched as (
      select o.order_id from deposit_orders o
      where o.workspace_id = ${workspaceId}::uuid and o.ended_at >= ${from} and o.ended_at < ${to}
      union
      select n.order_id from payment_notifications n
      where n.workspace_id = ${workspaceId}::uuid and n.received_at >= ${from} and n.received_at < ${to}
        and n.order_id is not null
      union
      select o.order_id from platform_intents i
      join deposit_orders o on o.workspace_id = i.workspace_id and o.transaction_id = i.transaction_id
      where i.workspace_id = ${workspaceId}::uuid and i.state = 'done' and i.done_at >= ${from} and i.done_at < ${to}
    )
    select * from (
      select o.order_id, o.transaction_id, o.account_id, t.payment_method as method, o.currency, o.charge::text as charge,
        o.fee::text as fee, o.reference, o.state = 'paid' as is_paid, credit.amount::text as credited,
        t.state in ('cancelled', 'rejected') as is_withdrawn, said.amount as reported_amount,
        said.currency as reported_currency, coalesce(said.payments, 0)::int as payments,
        coalesce(said.is_returned, false) as is_returned,
        coalesce(credit.done_at, least(said.first_at, case o.state when 'paid' then o.ended_at end), said.returned_at) as at
      from deposit_orders o
      join balance_transactions t on t.workspace_id = o.workspace_id and t.transaction_id = o.transaction_id
      join trading_accounts a on a.workspace_id = o.workspace_id and a.account_id = o.account_id and a.live_account
      left join lateral (select i.amount, i.done_at from platform_intents i where i.workspace_id = o.workspace_id
        and i.transaction_id = o.transaction_id and i.state = 'done' and i.amount > 0 limit 1) credit on true
      left join lateral (
        select (array_agg(n.reported->>'amount' order by n.received_at desc) filter (where n.reported->>'state' = 'paid'))[1]
            as amount,
          (array_agg(n.reported->>'currency' order by n.received_at desc) filter (where n.reported->>'state' = 'paid'))[1]
            as currency,
          count(distinct coalesce(n.reported->>'reference', '')) filter (where n.reported->>'state' = 'paid') as payments,
          min(n.received_at) filter (where n.reported->>'state' = 'paid') as first_at,
          bool_or(n.reported->>'state' = 'returned') as is_returned,
          min(n.received_at) filter (where n.reported->>'state' = 'returned') as returned_at
        from payment_notifications n
        where n.workspace_id = o.workspace_id and n.order_id = o.order_id and n.verdict in ('genuine', 'unverified')
      ) said on true
      where o.workspace_id = ${workspaceId}::uuid and o.order_id in (select order_id from touched)
    ) as each where at >= ${from} and at < ${to}
    order by at, order_id`.execute(tx)
  return rows
}

/** Each withdrawal by a provider on the day of its debit, whenever it was paid. */
async function readPaidOut(tx: Tx, { workspaceId }: System, { from, to }: Span): Promise<PaidOut[]> {
  const { rows } = await sql<PaidOut>`
    select t.payment_method as method, t.currency,
      case when bool_and(p.state in ('paid', 'declined', 'dropped'))
        then (-coalesce(sum(p.amount + t.fee) filter (where p.state = 'paid'), 0))::text end as amount
    from balance_transactions t
    join trading_accounts a on a.workspace_id = t.workspace_id and a.account_id = t.account_id and a.live_account
    join payout_orders p on p.workspace_id = t.workspace_id and p.transaction_id = t.transaction_id
    where t.workspace_id = ${workspaceId}::uuid and exists (select from platform_intents i
      where i.workspace_id = t.workspace_id and i.transaction_id = t.transaction_id and i.state = 'done' and i.amount < 0
        and i.done_at >= ${from} and i.done_at < ${to})
    group by t.transaction_id, t.payment_method, t.currency
    order by t.transaction_id`.execute(tx)
  return rows
}

async function readCameBack(tx: Tx, { workspaceId }: System, { from, to }: Span): Promise<CameBack[]> {
  const { rows } = await sql<CameBack>`
    select t.payment_method as method, t.currency, i.amount::text as amount
    from platform_intents i
    join balance_transactions t on t.workspace_id = i.workspace_id and t.transaction_id = i.transaction_id
    where i.workspace_id = ${workspaceId}::uuid and i.state = 'done' and i.amount > 0
      and i.done_at >= ${from} and i.done_at < ${to} and t.type = 'deposit'
      and exists (select from payment_cases c join payout_orders p
          on p.workspace_id = c.workspace_id and p.payout_id = c.payout_id
        where p.workspace_id = i.workspace_id and p.member_id = t.member_id and c.transaction_id = i.transaction_id)
    order by i.done_at, i.intent_id`.execute(tx)
  return rows
}

async function readUnknown(tx: Tx, { workspaceId }: System, { from, to }: Span): Promise<Unknown[]> {
  const { rows } = await sql<Unknown>`
    select n.notification_id, 'psp:' || p.app_uid as method, n.reported->>'amount' as amount,
      n.reported->>'currency' as currency, n.reported->>'reference' as reference
    from payment_notifications n
    join payment_providers p on p.workspace_id = n.workspace_id and p.provider_id = n.provider_id
    where n.workspace_id = ${workspaceId}::uuid and n.verdict in ('genuine', 'unverified') and n.outcome = 'unknown_order'
      and n.reported->>'state' = 'paid' and n.closed_at is null and n.received_at >= ${from} and n.received_at < ${to}
    order by n.received_at, n.notification_id`.execute(tx)
  return rows
}

/**
 * The second of two withdrawals with the same payment reference, on the day it was marked; and provider payments of a
 * withdrawal already paid or reversed.
 */
async function readShared(tx: Tx, { workspaceId }: System, { from, to }: Span): Promise<SharedPayout[]> {
  const { rows } = await sql<SharedPayout>`
    select t.transaction_id, t.account_id, t.payment_method as method, t.currency, (-t.amount)::text as amount,
      t.payout_reference as reference
    from balance_transactions t
    join trading_accounts a on a.workspace_id = t.workspace_id and a.account_id = t.account_id and a.live_account
    where t.workspace_id = ${workspaceId}::uuid and t.type = 'withdrawal' and t.paid_at >= ${from} and t.paid_at < ${to}
      and t.payout_reference <> ''
      and exists (select from balance_transactions first where first.workspace_id = t.workspace_id
        and first.type = 'withdrawal' and first.payout_reference = t.payout_reference
        and (first.paid_at, first.transaction_id) < (t.paid_at, t.transaction_id))
    union all
    select t.transaction_id, t.account_id, t.payment_method, t.currency, (-t.amount)::text,
      coalesce(max(p.reference), max(p.attempt))
    from payout_orders p
    join balance_transactions t on t.workspace_id = p.workspace_id and t.transaction_id = p.transaction_id
    where p.workspace_id = ${workspaceId}::uuid and p.state = 'paid'
      and exists (select from payout_orders latest where latest.workspace_id = p.workspace_id
        and latest.transaction_id = p.transaction_id and latest.state = 'paid'
        and latest.ended_at >= ${from} and latest.ended_at < ${to})
    group by t.transaction_id, t.account_id, t.payment_method, t.currency, t.amount, t.state
    having count(*) > 1 or t.state in ('returning', 'rejected')
    order by transaction_id`.execute(tx)
  return rows
}
