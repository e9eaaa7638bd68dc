import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { clearErasedPapers } from './erased-papers.ts'
import { settleStandings, watchExpiry } from './expiry.ts'
import { clearIdentityNotifications } from './identity-clearing.ts'
import { readIdentityNotification } from './identity-notification.ts'

export function documentJobs(ground: Ground): JobHandlers {
  return {
    'documents.settle-standings': async ({ workspaceId }) => {
      await settleStandings(ground, workspaceId)
    },
    'documents.watch-expiry': async ({ workspaceId }) => {
      const system = systemActor(ground, workspaceId)
      await watchExpiry(system)
      await clearIdentityNotifications(system)
      await clearErasedPapers(system)
    },
    'documents.read-identity-notification': ({ workspaceId, id }) =>
      readIdentityNotification(systemActor(ground, workspaceId), id),
  }
}
