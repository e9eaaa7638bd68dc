import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../foundation/jobs.ts'
import { issueReset } from './reset-request.ts'

export function sessionJobs(ground: Ground): JobHandlers {
  return { 'sessions.issue-reset': ({ workspaceId, id }) => issueReset(systemActor(ground, workspaceId), id) }
}
