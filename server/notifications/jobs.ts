import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { deliverMail } from './delivery.ts'
import { requeueLostMails, sweepMails, sweepNotifications } from './sweep.ts'

export function notificationJobs(context: Context): JobHandlers {
  return {
    'notifications.send-mail': ({ workspaceId, id }) => deliverMail(systemActor(context, workspaceId), id),
    'notifications.sweep-mails': async ({ workspaceId }) => {
      const system = systemActor(context, workspaceId)
      await requeueLostMails(system)
      await sweepMails(system)
      await sweepNotifications(system)
    },
  }
}
