import type { DocumentNeed } from '@atrium/contract/documents/calls.ts'
import type { IdentityState } from '@atrium/contract/documents/identity.ts'
import type { RequirementStatus } from '@atrium/contract/documents/states.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** The status that a check gives to a category that accepts it; a started check gives none. */
const statusOfCheck: Record<IdentityState, RequirementStatus> = {
  started: 'missing',
  waiting: 'in_verification',
  retry: 'pending',
  approved: 'approved',
  rejected: 'rejected',
}

/** Combines uploaded documents with the vendor's check: either of them can approve the category. */
export function withCheck(need: DocumentNeed, state: IdentityState | null): DocumentNeed {
  if (state === null || need.standing === 'approved') return need
  const status = statusOfCheck[state]
  const counts = status === 'approved' || need.standing === 'missing'
  return counts ? { ...need, standing: status } : need
}

const isDecided = (state: string): boolean => state === 'approved' || state === 'rejected'

/**
 * The member's state at vendors: approved by any of them, or the state of the newest check. An undecided check of a
 * vendor that is switched off counts for nothing, because no report will decide it.
 */
export async function findCheckState(tx: Tx, actor: Actor, memberId: string): Promise<IdentityState | null> {
  const rows = await tx
    .selectFrom('identity_checks')
    .select(['state', 'paused'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .orderBy('created_at', 'desc')
    .orderBy('check_id', 'desc')
    .limit(20)
    .execute()
  const counting = rows.filter(({ state, paused }) => !paused || isDecided(state))
  const states = counting.map((row) => row.state as IdentityState)
  return states.find((state) => state === 'approved') ?? states[0] ?? null
}
