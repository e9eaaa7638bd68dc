import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { deliverMail } from './delivery.ts'
import { askForForgottenMails, sweepMails, sweepNotices } from './sweep.ts'

export function notificationJobs(ground: Ground): JobHandlers {
  return {
    'notifications.send-mail': ({ workspaceId, id }) => deliverMail(systemActor(ground, workspaceId), id),
    'notifications.sweep-mails': async ({ workspaceId }) => {
      const system = systemActor(ground, workspaceId)
      await askForForgottenMails(system)
      await sweepMails(system)
      await sweepNotices(system)
    },
  }
}
