import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { clearErasedKycDocuments } from './erased-kyc-documents.ts'
import { settleStatuses, watchExpiry } from './expiry.ts'
import { clearIdentityWebhookEvents } from './identity-clearing.ts'
import { readIdentityWebhookEvent, requeueLostWebhookEvents } from './identity-webhook-event.ts'
import { isPauseOutdated, readWithheldReports } from './paused-checks.ts'

export function documentJobs(context: Context): JobHandlers {
  async function settle(workspaceId: string): Promise<void> {
    await settleStatuses(context, workspaceId)
    await readWithheldReports(systemActor(context, workspaceId))
  }
  return {
    'documents.settle-standings': ({ workspaceId }) => settle(workspaceId),
    'documents.watch-expiry': async ({ workspaceId }) => {
      const system = systemActor(context, workspaceId)
      await watchExpiry(system)
      await requeueLostWebhookEvents(system)
      if (await reading(system, (tx) => isPauseOutdated(tx, system))) await settle(workspaceId)
      await clearIdentityWebhookEvents(system)
      await clearErasedKycDocuments(system)
    },
    'documents.read-identity-notification': ({ workspaceId, id }) =>
      readIdentityWebhookEvent(systemActor(context, workspaceId), id),
  }
}
