import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { reach } from '../foundation/failpoint.ts'
import { newId } from '../foundation/ids.ts'
import type { NotificationReading, RawNotification, Reported } from './contract.ts'
import { connectProvider, type ProviderRow, readProvider } from './provider.ts'
import { applyReport, type Outcome } from './settle.ts'

type Received = RawNotification & { headers: Record<string, string> }

/** The same bytes are one notification, however often they come. */
const contentIdOf = ({ method, query, body }: RawNotification): Buffer =>
  createHash('sha256').update(`${method}\n${query}\n`).update(body).digest()

/** As it came, before anybody looked at it, with the job that will. Answers nothing: what it is worth is found out later. */
export async function keepNotification(system: System, provider: ProviderRow, received: Received): Promise<void> {
  const now = system.ground.clock.now()
  await inTransaction(system, async (tx) => {
    const kept = await tx
      .insertInto('payment_notifications')
      .values({
        workspace_id: system.workspaceId,
        notification_id: newId(),
        provider_id: provider.provider_id,
        content_id: contentIdOf(received),
        method: received.method,
        query: received.query,
        headers: JSON.stringify(received.headers),
        body: received.body,
        received_at: now,
        last_received_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'provider_id', 'content_id']).doUpdateSet({
          times: sql`payment_notifications.times + 1`,
          last_received_at: now,
        }),
      )
      .returning(['notification_id', 'times'])
      .executeTakeFirstOrThrow()
    if (kept.times > 1) return
    await scheduleReading(tx, system, kept.notification_id)
  })
  reach('notification.kept')
  system.ground.jobs.wake('payments.read-notification')
}

export async function scheduleReading(tx: Tx, system: System, id: string): Promise<void> {
  await system.ground.jobs.enqueue(tx, 'payments.read-notification', { workspaceId: system.workspaceId, id })
}

/** Reads what was kept, once. Whatever is not proven to come from the provider finds nothing and changes nothing. */
export async function readNotification(system: System, notificationId: string): Promise<void> {
  const kept = await reading(system, (tx) => findUnread(tx, system, notificationId))
  if (!kept) return
  const provider = await connectProvider(system, kept.provider)
  const { method, query, body } = kept.row
  const read = provider.readNotification({ method, query, body })
  await inTransaction(system, (tx) => act(tx, system, notificationId, kept.provider, read))
  system.ground.jobs.wake('funding.settle-intent')
}

async function findUnread(tx: Tx, system: System, notificationId: string) {
  const row = await tx
    .selectFrom('payment_notifications')
    .select(['provider_id', 'method', 'query', 'body', 'verdict'])
    .where('workspace_id', '=', system.workspaceId)
    .where('notification_id', '=', notificationId)
    .executeTakeFirst()
  if (row?.verdict !== 'unread') return null
  return { row, provider: await readProvider(tx, system, row.provider_id) }
}

async function act(
  tx: Tx,
  system: System,
  notificationId: string,
  { provider_id }: ProviderRow,
  read: NotificationReading,
): Promise<void> {
  // Of two workers one goes on; the other waits here and finds it read.
  const locked = await tx
    .selectFrom('payment_notifications')
    .select('verdict')
    .where('workspace_id', '=', system.workspaceId)
    .where('notification_id', '=', notificationId)
    .forUpdate()
    .executeTakeFirst()
  if (locked?.verdict !== 'unread') return
  if (!read.isGenuine) return close(tx, system, notificationId, { verdict: read.why, outcome: 'refused' })
  const { reported } = read
  const orderId = await findOrder(tx, system, provider_id, reported)
  const result = orderId ? await applyReport(tx, system, orderId, reported) : null
  await close(tx, system, notificationId, {
    verdict: 'genuine',
    outcome: result?.outcome ?? 'unknown_order',
    why: result?.why ?? null,
    order_id: orderId,
    reported,
  })
}

/** By the name that we gave it. An order of another workspace or another provider is not there to be found. */
async function findOrder(tx: Tx, system: System, providerId: string, { attempt }: Reported): Promise<string | null> {
  if (attempt === null) return null
  const row = await tx
    .selectFrom('deposit_orders')
    .select('order_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('provider_id', '=', providerId)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return row?.order_id ?? null
}

type Closing = {
  verdict: 'genuine' | Extract<NotificationReading, { isGenuine: false }>['why']
  outcome: Outcome['outcome'] | 'unknown_order' | 'refused'
  why?: string | null
  order_id?: string | null
  reported?: Reported
}

async function close(tx: Tx, system: System, id: string, { reported, ...closing }: Closing): Promise<void> {
  await tx
    .updateTable('payment_notifications')
    .set({ ...closing, reported: reported ? JSON.stringify(reported) : null, read_at: system.ground.clock.now() })
    .where('workspace_id', '=', system.workspaceId)
    .where('notification_id', '=', id)
    .execute()
  await audit(tx, system, {
    action: 'payment-notification.read',
    subject: { kind: 'payment_notification', id },
    after: { verdict: closing.verdict, outcome: closing.outcome, order: closing.order_id ?? null },
  })
}
