import type { TransactionState } from '@atrium/contract/funding/states.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import type { DeskPayment } from '@atrium/contract/payments/desk-payment.ts'
import type { DeskPayout } from '@atrium/contract/withdrawals/desk-calls.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { nameOfProvider } from '../payment-providers/registry.ts'
import type { StatusReport } from '../payment-providers/status-report.ts'

/** The webhook events about one order; repeated deliveries are one entry. */
const webhookEventsMax = 20
const payoutsMax = 10
const bodyCharsMax = 4_000

/** The order of a deposit with its webhook events, as received and as judged; null if there is none. */
export async function readPayment(tx: Tx, staff: Staff, transactionId: string): Promise<DeskPayment | null> {
  const row = await tx
    .selectFrom('deposit_orders as order')
    .innerJoin('payment_providers as provider', (join) =>
      join
        .onRef('provider.workspace_id', '=', 'order.workspace_id')
        .onRef('provider.provider_id', '=', 'order.provider_id'),
    )
    .selectAll('order')
    .select('provider.app_uid')
    .where('order.workspace_id', '=', staff.workspaceId)
    .where('order.transaction_id', '=', transactionId)
    .executeTakeFirst()
  if (!row) return null
  return {
    provider: nameOfProvider({ app_uid: row.app_uid }),
    state: row.state as DeskPayment['state'],
    why: row.staff_reason,
    charge: toScale(row.charge, row.currency),
    fee: toScale(row.fee, row.currency),
    attempt: row.attempt,
    reference: row.reference,
    expires_at: row.expires_at.getTime(),
    pending_since: row.pending_since?.getTime() ?? null,
    credited: await readCredited(tx, staff, row.order_id),
    notifications: await readWebhookEvents(tx, staff, { order_id: row.order_id }),
  }
}

async function readCredited(tx: Tx, staff: Staff, orderId: string): Promise<DeskPayment['credited']> {
  const rows = await tx
    .selectFrom('payment_cases as decided')
    .innerJoin('balance_transactions as moved', (join) =>
      join
        .onRef('moved.workspace_id', '=', 'decided.workspace_id')
        .onRef('moved.transaction_id', '=', 'decided.transaction_id'),
    )
    .select(['moved.transaction_id as _id', 'moved.ticket', 'moved.amount', 'moved.currency', 'moved.state'])
    .where('decided.workspace_id', '=', staff.workspaceId)
    .where('decided.order_id', '=', orderId)
    // Credits a deposit again that is listed already, if an exception credited it first.
    .where('decided.why', '<>', 'credit_refused')
    .orderBy('decided.decided_at', 'desc')
    .execute()
  return rows.map(({ amount, state, ...row }) => ({
    ...row,
    amount: toScale(amount, row.currency),
    state: state as TransactionState,
  }))
}

/** Every payout attempt of a withdrawal, newest first. */
export async function readPayouts(tx: Tx, staff: Staff, transactionId: string): Promise<DeskPayout[]> {
  const rows = await tx
    .selectFrom('payout_orders as payout')
    .innerJoin('payment_providers as provider', (join) =>
      join
        .onRef('provider.workspace_id', '=', 'payout.workspace_id')
        .onRef('provider.provider_id', '=', 'payout.provider_id'),
    )
    .selectAll('payout')
    .select('provider.app_uid')
    .where('payout.workspace_id', '=', staff.workspaceId)
    .where('payout.transaction_id', '=', transactionId)
    .orderBy('payout.created_at', 'desc')
    .orderBy('payout.payout_id', 'desc')
    .limit(payoutsMax)
    .execute()
  const found: DeskPayout[] = []
  for (const row of rows)
    found.push({
      provider: nameOfProvider({ app_uid: row.app_uid }),
      state: row.state as DeskPayout['state'],
      why: row.staff_reason as DeskPayout['why'],
      problem: row.problem,
      attempt: row.attempt,
      reference: row.reference,
      amount: toScale(row.amount, row.currency),
      currency: row.currency,
      coin: row.coin,
      coin_amount: row.coin_amount,
      created_at: row.created_at.getTime(),
      notifications: await readWebhookEvents(tx, staff, { payout_id: row.payout_id }),
    })
  return found
}

type About = { order_id: string } | { payout_id: string }

async function readWebhookEvents(tx: Tx, staff: Staff, about: About): Promise<DeskPayment['notifications']> {
  const rows = await tx
    .selectFrom('payment_notifications')
    .select(['notification_id', 'received_at', 'times', 'outcome', 'why', 'reported', 'method', 'query', 'body'])
    .select('cleared_at')
    .where('workspace_id', '=', staff.workspaceId)
    .where((where) => where.and(about))
    .orderBy('notification_id')
    .limit(webhookEventsMax)
    .execute()
  return rows.map((row) => {
    const reported = row.reported as StatusReport | null
    return {
      _id: row.notification_id,
      at: row.received_at.getTime(),
      times: row.times,
      outcome: row.outcome ?? 'unread',
      why: row.why,
      word: reported?.word ?? '',
      amount: reported?.amount ?? null,
      currency: reported?.currency ?? null,
      cleared_at: row.cleared_at?.getTime() ?? null,
      raw: (row.method === 'GET' ? row.query : row.body.toString('utf8')).slice(0, bodyCharsMax),
    }
  })
}
