import type { System } from '../../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../../foundation/database/database.ts'
import type { StatusReport } from '../../payment-providers/status-report.ts'
import { applyPayoutReport } from './payout-settle.ts'

const missedMax = 100
/** Earlier returns were settled by staff with the provider, as the staff guide then required. */
const recentMs = 7 * 24 * 60 * 60_000

/** Opens the exceptions of returned payouts whose reports a process of the previous version has read. */
export async function openMissedReturns(system: System): Promise<void> {
  const missed = await reading(system, (tx) => selectMissed(tx, system).limit(missedMax).execute())
  for (const { notification_id: id } of missed) await inTransaction(system, (tx) => readAgain(tx, system, id))
}

/** Locks the webhook event first, as its reader does. */
async function readAgain(tx: Tx, system: System, id: string): Promise<void> {
  const missed = await selectMissed(tx, system)
    .where('event.notification_id', '=', id)
    .forUpdate('event')
    .executeTakeFirst()
  if (!missed?.payout_id || !missed.reported) return
  const { outcome, why = null } = await applyPayoutReport(tx, system, missed.payout_id, missed.reported as StatusReport)
  await tx
    .updateTable('payment_notifications')
    .set({ outcome, why })
    .where('workspace_id', '=', system.workspaceId)
    .where('notification_id', '=', id)
    .execute()
}

function selectMissed(tx: Tx, system: System) {
  const since = new Date(system.context.clock.now().getTime() - recentMs)
  return (
    tx
      .selectFrom('payment_notifications as event')
      .innerJoin('payout_orders as payout', (join) =>
        join.onRef('payout.workspace_id', '=', 'event.workspace_id').onRef('payout.payout_id', '=', 'event.payout_id'),
      )
      .select(['event.notification_id', 'event.payout_id', 'event.reported'])
      .where('event.workspace_id', '=', system.workspaceId)
      .where('event.why', '=', 'returned')
      .where('event.received_at', '>', since)
      .where('event.reported', 'is not', null)
      .where('payout.state', '=', 'paid')
      // Before the end it sent the payout to staff, who paid in another way or found the report wrong.
      .whereRef('event.read_at', '>=', 'payout.ended_at')
  )
}
