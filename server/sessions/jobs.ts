import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { startRepeating } from '../queue/sweeping.ts'
import { issueReset } from './passwords/reset-request.ts'
import { endOverdueSessions } from './session.ts'
import { sweepSessions } from './sweep.ts'

export function sessionJobs(context: Context): JobHandlers {
  return {
    'sessions.issue-reset': ({ workspaceId, id }) => issueReset(systemActor(context, workspaceId), id),
    'sessions.sweep': async ({ workspaceId }) => {
      await sweepSessions(systemActor(context, workspaceId))
    },
  }
}

const endEveryMs = 60_000

/** Ends expired sessions every minute; session.ts says why. */
export function startEndingSessions(context: Context): () => void {
  return startRepeating(context, endEveryMs, endOverdueSessions)
}
