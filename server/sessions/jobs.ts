import { systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { askForSweep, startRepeating } from '../queue/sweeping.ts'
import { issueReset } from './reset-request.ts'
import { endOverdueSessions } from './session.ts'
import { sweepSessions } from './sweep.ts'

export function sessionJobs(ground: Ground): JobHandlers {
  return {
    'sessions.issue-reset': ({ workspaceId, id }) => issueReset(systemActor(ground, workspaceId), id),
    'sessions.sweep': async ({ workspaceId }) => {
      await sweepSessions(systemActor(ground, workspaceId))
    },
  }
}

const endEveryMs = 60_000
const sweepEveryMs = 3_600_000

/** Sessions past their time are ended each minute, seen or not (session.ts says why); old rows go each hour. */
export function startSweepingSessions(ground: Ground): () => void {
  const stops = [
    startRepeating(ground, endEveryMs, endOverdueSessions),
    startRepeating(ground, sweepEveryMs, (system) => askForSweep(system, 'sessions.sweep')),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
