import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { clearErasedKycDocuments } from './erased-kyc-documents.ts'
import { settleStatuses, watchExpiry } from './expiry.ts'
import { clearIdentityNotifications } from './identity-clearing.ts'
import { readIdentityNotification } from './identity-notification.ts'

export function documentJobs(context: Context): JobHandlers {
  return {
    'documents.settle-standings': async ({ workspaceId }) => {
      await settleStatuses(context, workspaceId)
    },
    'documents.watch-expiry': async ({ workspaceId }) => {
      const system = systemActor(context, workspaceId)
      await watchExpiry(system)
      await clearIdentityNotifications(system)
      await clearErasedKycDocuments(system)
    },
    'documents.read-identity-notification': ({ workspaceId, id }) =>
      readIdentityNotification(systemActor(context, workspaceId), id),
  }
}
