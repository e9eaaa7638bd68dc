import type { System } from '../foundation/actor.ts'
import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { describeProblem } from '../observability/log.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { startRepeating } from '../queue/sweeping.ts'
import { refreshCoins } from './coins.ts'
import { openMissingRefusals } from './exceptions/refused-credit.ts'
import { openMissedReturns } from './payouts/missed-returns.ts'
import { providerOfPayout } from './payouts/payout-order.ts'
import { processDuePayouts, processPayout } from './payouts/process-payout.ts'
import { askAboutDueOrders, askProvider, providerOfOrder } from './reconciliation.ts'
import { type QueueProviderCall, readWebhookEvent, scheduleReading } from './webhook-event.ts'
import { clearOldWebhookEvents } from './webhook-event-clearing.ts'

export function paymentJobs(context: Context): JobHandlers {
  return {
    'payments.read-notification': ({ workspaceId, id }) =>
      readWebhookEvent(systemActor(context, workspaceId), id, queueProviderCall),
    'payments.clear-notifications': async ({ workspaceId }) => {
      await clearOldWebhookEvents(systemActor(context, workspaceId))
    },
    'payments.ask-provider': async ({ workspaceId, id }) => {
      const system = systemActor(context, workspaceId)
      const providerId = await providerOfOrder(system, id)
      if (providerId) queueProviderCall(system, providerId, `order ${id}`, () => askProvider(system, id))
    },
    'payments.visit-payout': async ({ workspaceId, id }) => {
      const system = systemActor(context, workspaceId)
      const providerId = await providerOfPayout(system, id)
      if (providerId) queueProviderCall(system, providerId, `payout ${id}`, () => processPayout(system, id))
    },
  }
}

/**
 * Queues the work in its provider's queue and frees the worker immediately: workers waiting for a hanging provider would
 * be missing for all others. If the process ends first, the next round finds what is due.
 */
const queueProviderCall: QueueProviderCall = (system, providerId, key, work) => {
  const { log, providers } = system.context
  providers.runQueued(system, providerId, key, work).catch((problem) => {
    log.error({ err: describeProblem(problem), about: key }, 'task at a payment provider failed')
  })
}

const roundMs = 20_000

/**
 * Queries open orders and payouts, requeues webhook events that were received but never processed, and opens the
 * exceptions that are missing.
 */
export function startReconcilingOrders(context: Context): () => void {
  return startRepeating(context, roundMs, async (system) => {
    await askAboutDueOrders(system)
    await processDuePayouts(system)
    await requeueAbandonedEvents(system)
    // Not awaited: a hanging provider must not delay the round.
    refreshCoins(system).catch((problem) => {
      context.log.error({ err: describeProblem(problem) }, 'coins not refreshed')
    })
    await openMissingRefusals(system)
    await openMissedReturns(system)
  })
}

/** With one round still within a minute of a restart, much sooner than the queue reclaims a dead worker's job. */
const abandonedAfterMs = 30_000
const abandonedMax = 100

/** Requeues a webhook event whose job was abandoned or whose worker died; one that is processed meanwhile is skipped. */
export async function requeueAbandonedEvents(system: System): Promise<void> {
  const until = new Date(system.context.clock.now().getTime() - abandonedAfterMs)
  await inTransaction(system, async (tx) => {
    const rows = await tx
      .selectFrom('payment_notifications')
      .select('notification_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('verdict', '=', 'unread')
      .where('last_received_at', '<', until)
      .orderBy('received_at')
      .limit(abandonedMax)
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
