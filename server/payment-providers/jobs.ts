import type { System } from '../foundation/actor.ts'
import { systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { startRepeating } from '../foundation/sweeping.ts'
import { refreshCoins } from './coins.ts'
import { readNotification, scheduleReading } from './notification.ts'
import { visitDuePayouts, visitPayout } from './payout-visit.ts'
import { askAboutDueOrders, askProvider } from './reconciliation.ts'

export function paymentJobs(ground: Ground): JobHandlers {
  return {
    'payments.read-notification': ({ workspaceId, id }) => readNotification(systemActor(ground, workspaceId), id),
    'payments.ask-provider': ({ workspaceId, id }) => askProvider(systemActor(ground, workspaceId), id),
    'payments.visit-payout': ({ workspaceId, id }) => visitPayout(systemActor(ground, workspaceId), id),
  }
}

const roundMs = 20_000

/** Asks about orders and payouts that stay open, and hands out again what was received and never read. */
export function startReconcilingOrders(ground: Ground): () => void {
  return startRepeating(ground, roundMs, async (system) => {
    await askAboutDueOrders(system)
    await visitDuePayouts(system)
    await readLeftBehind(system)
    await refreshCoins(system)
  })
}

/** With a round's time still within a minute of a restart: much sooner than the queue gives a dead worker's job to another. */
const leftBehindMs = 30_000
const leftBehindMax = 100

/** A notification whose job was given up, or whose worker died: one that is read meanwhile is not read again. */
export async function readLeftBehind(system: System): Promise<void> {
  const until = new Date(system.ground.clock.now().getTime() - leftBehindMs)
  await inTransaction(system, async (tx) => {
    const rows = await tx
      .selectFrom('payment_notifications')
      .select('notification_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('verdict', '=', 'unread')
      .where('last_received_at', '<', until)
      .orderBy('received_at')
      .limit(leftBehindMax)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { notification_id } of rows) {
      await tx
        .updateTable('payment_notifications')
        .set({ last_received_at: system.ground.clock.now() })
        .where('workspace_id', '=', system.workspaceId)
        .where('notification_id', '=', notification_id)
        .execute()
      await scheduleReading(tx, system, notification_id)
    }
  })
}
