import { type System, systemActor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { sweepDue } from '../queue/sweeping.ts'
import { keptSince } from '../workspaces/kept-times.ts'

export function formJobs(ground: Ground): JobHandlers {
  return {
    'forms.sweep-drafts': async ({ workspaceId }) => {
      await sweepDrafts(systemActor(ground, workspaceId))
    },
  }
}

/** What nobody went on with for so long; files that were uploaded for it are swept after it. */
export async function sweepDrafts(system: System): Promise<number> {
  const until = await keptSince(system, 'draft_days')
  return sweepDue(system, { table: 'form_drafts', key: 'draft_id', moment: 'saved_at', until })
}
