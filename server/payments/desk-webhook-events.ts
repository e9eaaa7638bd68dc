import { type webhookEventKinds, webhookEventsList } from '@atrium/contract/payments/desk-list.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { type Condition, condition, defineList } from '../foundation/list.ts'
import { decide, definePolicy } from '../money-decisions/policy.ts'
import { nameOfProvider } from '../payment-providers/registry.ts'
import type { StatusReport } from '../payment-providers/status-report.ts'
import { momentsOf } from '../workspaces/today.ts'
import { scheduleReading } from './webhook-event.ts'

/** Unix times in milliseconds, from the first version of the call; they do not have the shape of a filter. */
type Between = { from?: number | undefined; to?: number | undefined }

/** The received webhook events, newest first. */
export const deskWebhookEvents = defineList({
  list: webhookEventsList,
  right: 'money.read',
  table: 'payment_notifications as event',
  id: 'event.notification_id',
  select: selectWebhookEvents,
  where: ({ filter: { from, to } }: { filter: Between }) =>
    condition`event.received_at >= ${new Date(from ?? 0)} and event.received_at < ${to ? new Date(to) : 'infinity'}`,
  filters: {
    q: (q) => condition`event.order_id in (select order_id from deposit_orders as named
      where named.workspace_id = event.workspace_id and (named.attempt = ${q} or named.reference = ${q}))
      or event.payout_id in (select payout_id from payout_orders as named
      where named.workspace_id = event.workspace_id and (named.attempt = ${q} or named.reference = ${q}))`,
    provider: (provider) => condition`event.provider_id in (select provider_id from payment_providers as named
      where named.workspace_id = event.workspace_id and named.app_uid = ${provider})`,
    kind: ofKind,
    since: async (from, { tx, staff }) =>
      condition`event.received_at >= ${(await momentsOf(tx, staff, { from })).since}`,
    until: async (to, { tx, staff }) => condition`event.received_at < ${(await momentsOf(tx, staff, { to })).until}`,
  },
  sort: () => ({ column: 'event.received_at', direction: 'desc', at: (row) => row.received_at }),
  shape: describe,
  beside: async ({ tx, staff }) => ({ providers: await listNames(tx, staff) }),
  columns: [
    ['Received (UTC)', (row) => spreadsheetMoment(row.received_at)],
    ['Times', (row) => row.times],
    ['Provider', (row) => row.provider],
    ['Verdict', (row) => row.verdict],
    ['Outcome', (row) => row.outcome],
    ['Cause', (row) => row.why],
    ['Word', (row) => row.word],
    ['Amount', (row) => row.amount && { amount: row.amount }],
    ['Currency', (row) => row.currency],
    ['Our reference', (row) => row.order?.attempt ?? row.payout?.attempt ?? null],
    ['Deposit', (row) => row.order?.ticket ?? null],
    ['Withdrawal', (row) => row.payout?.ticket ?? null],
  ],
})

function ofKind(kind: (typeof webhookEventKinds)[number]): Condition {
  if (kind === 'forged') return condition`event.verdict not in ('genuine', 'unread', 'unverified')`
  if (kind === 'unknown_order' || kind === 'for_staff') return condition`event.outcome = ${kind}`
  return condition`event.verdict = ${kind}`
}

function selectWebhookEvents(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('payment_notifications as event')
    .innerJoin('payment_providers as provider', (join) =>
      join
        .onRef('provider.workspace_id', '=', 'event.workspace_id')
        .onRef('provider.provider_id', '=', 'event.provider_id'),
    )
    .leftJoin('deposit_orders as order', (join) =>
      join.onRef('order.workspace_id', '=', 'event.workspace_id').onRef('order.order_id', '=', 'event.order_id'),
    )
    .leftJoin('balance_transactions as deposit', (join) =>
      join
        .onRef('deposit.workspace_id', '=', 'order.workspace_id')
        .onRef('deposit.transaction_id', '=', 'order.transaction_id'),
    )
    .leftJoin('payout_orders as payout', (join) =>
      join.onRef('payout.workspace_id', '=', 'event.workspace_id').onRef('payout.payout_id', '=', 'event.payout_id'),
    )
    .leftJoin('balance_transactions as withdrawal', (join) =>
      join
        .onRef('withdrawal.workspace_id', '=', 'payout.workspace_id')
        .onRef('withdrawal.transaction_id', '=', 'payout.transaction_id'),
    )
    .select(['event.notification_id', 'event.received_at', 'event.times', 'event.verdict', 'event.outcome'])
    .select(['event.why', 'event.cleared_at', 'event.reported', 'provider.app_uid', 'provider.title'])
    .select(['order.attempt', 'deposit.transaction_id', 'deposit.ticket'])
    .select(['payout.attempt as payout_attempt', 'withdrawal.transaction_id as withdrawal_id'])
    .select('withdrawal.ticket as withdrawal_ticket')
    .where('event.workspace_id', '=', staff.workspaceId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectWebhookEvents>['executeTakeFirstOrThrow']>>

function describe(row: Row) {
  const reported = row.reported as StatusReport | null
  const { attempt, transaction_id, ticket, payout_attempt, withdrawal_id, withdrawal_ticket } = row
  return {
    _id: row.notification_id,
    provider: nameOfProvider(row),
    app_uid: row.app_uid,
    received_at: row.received_at.getTime(),
    times: row.times,
    verdict: row.verdict,
    outcome: row.outcome,
    why: row.why,
    word: reported?.word ?? '',
    amount: reported?.amount ?? null,
    currency: reported?.currency ?? null,
    cleared_at: row.cleared_at?.getTime() ?? null,
    order: attempt && transaction_id ? { attempt, deposit_id: transaction_id, ticket: String(ticket) } : null,
    payout:
      payout_attempt && withdrawal_id
        ? { attempt: payout_attempt, withdrawal_id, ticket: String(withdrawal_ticket) }
        : null,
  }
}

async function listNames(tx: Tx, staff: Staff) {
  const rows = await tx
    .selectFrom('payment_providers')
    .select(['app_uid', 'title'])
    .where('workspace_id', '=', staff.workspaceId)
    .orderBy('position')
    .orderBy('app_uid')
    .execute()
  return rows.map((row) => ({ app_uid: row.app_uid, name: nameOfProvider(row) }))
}

const rawCharsMax = 20_000

/** The unchanged message as text. It may contain payer input, so each view is audited. */
export async function readRawWebhookEvent(staff: Staff, id: string) {
  authorizeStaff(staff, 'money.read')
  return inTransaction(staff, async (tx) => {
    const row = await selectWebhookEvents(tx, staff)
      .select(['event.method', 'event.query', 'event.body'])
      .where('event.notification_id', '=', id)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    await audit(tx, staff, { action: 'payment-notification.viewed', subject: { kind: 'payment_notification', id } })
    const raw = row.method === 'GET' ? row.query : row.body.toString('utf8')
    return { ...describe(row), method: row.method, raw: raw.slice(0, rawCharsMax), is_cut: raw.length > rawCharsMax }
  })
}

export const replayingWebhookEvent = definePolicy({
  name: 'payment-notification.replay',
  right: 'money.decide',
  selfApproval: 'no-member',
  approvals: 'one',
  why: 'Atrium reads the provider’s message again; staff do not decide its meaning.',
})

/** Marks the webhook event unread and queues its job; for an order that has moved on it changes nothing (settle.ts). */
export async function replayWebhookEvent(staff: Staff, id: string): Promise<void> {
  authorizeStaff(staff, replayingWebhookEvent.right)
  await inTransaction(staff, async (tx) => {
    await decide(tx, staff, replayingWebhookEvent, { memberId: null })
    const row = await tx
      .selectFrom('payment_notifications')
      .select(['verdict', 'outcome', 'cleared_at'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('notification_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) refuseNotFound()
    if (row.verdict === 'unread') return
    if (row.cleared_at) refuse('illegal_move', deskTexts.webhookEventCleared)
    const { verdict, outcome } = row
    await tx
      .updateTable('payment_notifications')
      .set({ verdict: 'unread', outcome: null, why: null, read_at: null })
      .where('workspace_id', '=', staff.workspaceId)
      .where('notification_id', '=', id)
      .execute()
    await scheduleReading(tx, systemActor(staff.context, staff.workspaceId), id)
    await audit(tx, staff, {
      action: 'payment-notification.replayed',
      subject: { kind: 'payment_notification', id },
      before: { verdict, outcome },
    })
  })
  staff.context.jobs.wake('payments.read-notification')
}
