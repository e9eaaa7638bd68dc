import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { debitDemo } from './withdrawal-decision.ts'

export function withdrawalJobs(ground: Ground): JobHandlers {
  return { 'funding.debit-demo': ({ workspaceId, id }) => debitDemo(systemActor(ground, workspaceId), id) }
}
