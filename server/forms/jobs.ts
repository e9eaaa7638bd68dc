import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { JobHandlers } from '../queue/jobs.ts'
import { sweepDue } from '../queue/sweeping.ts'
import { retainedSince } from '../workspaces/retention.ts'

export function formJobs(context: Context): JobHandlers {
  return {
    'forms.sweep-drafts': async ({ workspaceId }) => {
      await sweepDrafts(systemActor(context, workspaceId))
    },
  }
}

/** Deletes abandoned drafts; their uploaded files are swept afterwards. */
export async function sweepDrafts(system: System): Promise<number> {
  const until = await retainedSince(system, 'draft_days')
  return sweepDue(system, { table: 'form_drafts', key: 'draft_id', moment: 'saved_at', until })
}
