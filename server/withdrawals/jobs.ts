import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { debitDemo } from './withdrawal-decision.ts'

export function withdrawalJobs(context: Context): JobHandlers {
  return { 'funding.debit-demo': ({ workspaceId, id }) => debitDemo(systemActor(context, workspaceId), id) }
}
