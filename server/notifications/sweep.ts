import type { System } from '../foundation/actor.ts'
import { deleteInBatches, sweepBatch } from '../foundation/sweeping.ts'

/** That a mail went out, to whom and when, is worth knowing for a quarter; what it said is gone with its delivery. */
const settledKeptMs = 90 * 24 * 3_600_000

/** Removes mails that were settled long ago: delivered, given up, or kept by an installation without a mail server. */
export function sweepMails(system: System): Promise<number> {
  const before = new Date(system.ground.clock.now().getTime() - settledKeptMs)
  return deleteInBatches(system, (tx) =>
    tx
      .deleteFrom('mails')
      .where('workspace_id', '=', system.workspaceId)
      .where('mail_id', 'in', (rows) =>
        rows
          .selectFrom('mails')
          .select('mail_id')
          .where('workspace_id', '=', system.workspaceId)
          .where('settled_at', '<=', before)
          .limit(sweepBatch)
          .forUpdate()
          .skipLocked(),
      )
      .executeTakeFirstOrThrow(),
  )
}
