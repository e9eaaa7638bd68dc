import type { System } from '../foundation/actor.ts'
import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { describeProblem } from '../observability/log.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { startRepeating } from '../queue/sweeping.ts'
import { refreshCoins } from './coins.ts'
import { readNotification, scheduleReading, type Visiting } from './notification.ts'
import { clearOldNotifications } from './notification-clearing.ts'
import { providerOfPayout } from './payouts/payout-order.ts'
import { processDuePayouts, processPayout } from './payouts/payout-visit.ts'
import { askAboutDueOrders, askProvider, providerOfOrder } from './reconciliation.ts'

export function paymentJobs(context: Context): JobHandlers {
  return {
    'payments.read-notification': ({ workspaceId, id }) =>
      readNotification(systemActor(context, workspaceId), id, letGo),
    'payments.clear-notifications': async ({ workspaceId }) => {
      await clearOldNotifications(systemActor(context, workspaceId))
    },
    'payments.ask-provider': async ({ workspaceId, id }) => {
      const system = systemActor(context, workspaceId)
      const providerId = await providerOfOrder(system, id)
      if (providerId) letGo(system, providerId, `order ${id}`, () => askProvider(system, id))
    },
    'payments.visit-payout': async ({ workspaceId, id }) => {
      const system = systemActor(context, workspaceId)
      const providerId = await providerOfPayout(system, id)
      if (providerId) letGo(system, providerId, `payout ${id}`, () => processPayout(system, id))
    },
  }
}

/**
 * The worker goes on at once and the visit stands in its provider's lane: workers that waited for a provider that hangs would
 * be missing to all others. Should the process end before the visit, the next round finds what was due.
 */
const letGo: Visiting = (system, providerId, key, work) => {
  const { log, providers } = system.context
  providers.visit(system, providerId, key, work).catch((problem) => {
    log.error({ err: describeProblem(problem), about: key }, 'visit to a payment provider failed')
  })
}

const roundMs = 20_000

/** Asks about orders and payouts that stay open, and hands out again what was received and never read. */
export function startReconcilingOrders(context: Context): () => void {
  return startRepeating(context, roundMs, async (system) => {
    await askAboutDueOrders(system)
    await processDuePayouts(system)
    await readLeftBehind(system)
    // Not waited for: a provider that hangs holds up nobody's round.
    refreshCoins(system).catch((problem) => {
      context.log.error({ err: describeProblem(problem) }, 'coins not refreshed')
    })
  })
}

/** With a round's time still within a minute of a restart: much sooner than the queue gives a dead worker's job to another. */
const leftBehindMs = 30_000
const leftBehindMax = 100

/** A notification whose job was given up, or whose worker died: one that is read meanwhile is not read again. */
export async function readLeftBehind(system: System): Promise<void> {
  const until = new Date(system.context.clock.now().getTime() - leftBehindMs)
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
        .set({ last_received_at: system.context.clock.now() })
        .where('workspace_id', '=', system.workspaceId)
        .where('notification_id', '=', notification_id)
        .execute()
      await scheduleReading(tx, system, notification_id)
    }
  })
}
