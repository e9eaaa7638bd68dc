import type { listNotifications as listCall } from '@atrium/contract/payments/webhook-events.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { readMark, writeMark } from '../foundation/database/page-mark.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { decide, definePolicy } from '../money-decisions/policy.ts'
import { nameOfProvider } from '../payment-providers/registry.ts'
import type { Reported } from '../payment-providers/reported.ts'
import { scheduleReading } from './notification.ts'

type Given = z.output<(typeof listCall)['input']>

/** What came in, the newest first. */
export async function listNotifications(staff: Staff, { before, limit, ...filters }: Given) {
  authorizeStaff(staff, 'money.read')
  return reading(staff, async (tx) => {
    const rows = await filtered(selectNotifications(tx, staff), filters)
      .$if(before !== undefined, (query) => query.where('notice.notification_id', '<', readMark(before ?? '').id))
      .orderBy('notice.notification_id', 'desc')
      .limit(limit + 1)
      .execute()
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      notifications: shown.map(describe),
      next: last && rows.length > limit ? writeMark({ value: '', id: last.notification_id }) : null,
      providers: await listNames(tx, staff),
    }
  })
}

type Select = ReturnType<typeof selectNotifications>

function filtered(query: Select, { provider, kind, q, from, to }: Omit<Given, 'before' | 'limit'>): Select {
  let chosen = query
  if (provider) chosen = chosen.where('provider.app_uid', '=', provider)
  if (kind === 'genuine' || kind === 'unread' || kind === 'unverified')
    chosen = chosen.where('notice.verdict', '=', kind)
  if (kind === 'forged') chosen = chosen.where('notice.verdict', 'not in', ['genuine', 'unread', 'unverified'])
  if (kind === 'unknown_order' || kind === 'for_staff') chosen = chosen.where('notice.outcome', '=', kind)
  if (from !== undefined) chosen = chosen.where('notice.received_at', '>=', new Date(from))
  if (to !== undefined) chosen = chosen.where('notice.received_at', '<', new Date(to))
  if (q)
    chosen = chosen.where((either) => either.or([either('order.attempt', '=', q), either('order.reference', '=', q)]))
  return chosen
}

const selectNotifications = (tx: Tx, staff: Staff) =>
  tx
    .selectFrom('payment_notifications as notice')
    .innerJoin('payment_providers as provider', (join) =>
      join
        .onRef('provider.workspace_id', '=', 'notice.workspace_id')
        .onRef('provider.provider_id', '=', 'notice.provider_id'),
    )
    .leftJoin('deposit_orders as order', (join) =>
      join.onRef('order.workspace_id', '=', 'notice.workspace_id').onRef('order.order_id', '=', 'notice.order_id'),
    )
    .leftJoin('balance_transactions as deposit', (join) =>
      join
        .onRef('deposit.workspace_id', '=', 'order.workspace_id')
        .onRef('deposit.transaction_id', '=', 'order.transaction_id'),
    )
    .select(['notice.notification_id', 'notice.received_at', 'notice.times', 'notice.verdict', 'notice.outcome'])
    .select(['notice.why', 'notice.cleared_at', 'notice.reported', 'provider.app_uid', 'provider.title'])
    .select(['order.attempt', 'deposit.transaction_id', 'deposit.ticket'])
    .where('notice.workspace_id', '=', staff.workspaceId)

type Row = Awaited<ReturnType<Select['executeTakeFirstOrThrow']>>

function describe(row: Row) {
  const reported = row.reported as Reported | null
  const { attempt, transaction_id, ticket } = row
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

/** Byte for byte as it came, as text. It may hold what a payer wrote, so who looked at it is written down. */
export async function readRawNotification(staff: Staff, id: string) {
  authorizeStaff(staff, 'money.read')
  return inTransaction(staff, async (tx) => {
    const row = await selectNotifications(tx, staff)
      .select(['notice.method', 'notice.query', 'notice.body'])
      .where('notice.notification_id', '=', id)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    await audit(tx, staff, { action: 'payment-notification.viewed', subject: { kind: 'payment_notification', id } })
    const raw = row.method === 'GET' ? row.query : row.body.toString('utf8')
    return { ...describe(row), method: row.method, raw: raw.slice(0, rawCharsMax), is_cut: raw.length > rawCharsMax }
  })
}

export const replayingNotification = definePolicy({
  name: 'payment-notification.replay',
  right: 'money.decide',
  selfApproval: 'no-member',
  approvals: 'one',
  why: 'The program reads what the provider sent once more; staff choose nothing of what it means.',
})

/** Unread again, with the job that reads it; of an order that has moved on it changes nothing (settle.ts). */
export async function replayNotification(staff: Staff, id: string): Promise<void> {
  authorizeStaff(staff, replayingNotification.right)
  await inTransaction(staff, async (tx) => {
    await decide(tx, staff, replayingNotification, { memberId: null })
    const row = await tx
      .selectFrom('payment_notifications')
      .select(['verdict', 'outcome', 'cleared_at'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('notification_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) refuseNotFound()
    if (row.verdict === 'unread') return
    if (row.cleared_at) refuse('illegal_move', deskTexts.notificationCleared)
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
