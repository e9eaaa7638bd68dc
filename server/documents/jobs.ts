import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { clearErasedKycDocuments } from './erased-kyc-documents.ts'
import { settleStatuses, watchExpiry } from './expiry.ts'
import { clearIdentityWebhookEvents } from './identity-clearing.ts'
import { readIdentityWebhookEvent } from './identity-webhook-event.ts'
import { readWithheldReports } from './paused-checks.ts'

export function documentJobs(context: Context): JobHandlers {
  return {
    'documents.settle-standings': async ({ workspaceId }) => {
      await settleStatuses(context, workspaceId)
      await readWithheldReports(systemActor(context, workspaceId))
    },
    'documents.watch-expiry': async ({ workspaceId }) => {
      const system = systemActor(context, workspaceId)
      await watchExpiry(system)
      await clearIdentityWebhookEvents(system)
      await clearErasedKycDocuments(system)
    },
    'documents.read-identity-notification': ({ workspaceId, id }) =>
      readIdentityWebhookEvent(systemActor(context, workspaceId), id),
  }
}
