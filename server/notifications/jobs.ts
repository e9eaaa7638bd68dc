import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { deliverMail } from './delivery.ts'

export function notificationJobs(ground: Ground): JobHandlers {
  return { 'notifications.send-mail': ({ workspaceId, id }) => deliverMail(systemActor(ground, workspaceId), id) }
}
