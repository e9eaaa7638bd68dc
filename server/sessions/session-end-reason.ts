import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { lifeSpan } from './session.ts'
import { hashToken } from './token.ts'

/** The explanation for a refused token. Only the session's owner, who has the token, gets one. */
export async function readSessionEndReason(system: System, kind: 'member' | 'staff', token: string): Promise<string> {
  return reading(system, async (tx) => {
    const session = await tx
      .selectFrom('sessions')
      .select(['ended_at', 'last_seen_at', 'created_at', 'expires_at'])
      .where('workspace_id', '=', system.workspaceId)
      .where('token_hash', '=', hashToken(token))
      .where('kind', '=', kind)
      .executeTakeFirst()
    if (!session?.ended_at) return sessionTexts.sessionUnknown
    const { now, idleSince, oldSince } = lifeSpan(system, (await readWorkspace(tx, system)).settings)
    const endedAt = session.ended_at.getTime()
    const wasOver = (from: Date, since: Date) => endedAt - from.getTime() >= now.getTime() - since.getTime()
    if (wasOver(session.last_seen_at, idleSince)) return sessionTexts.sessionIdle
    const isOld = wasOver(session.created_at, oldSince) || session.expires_at <= session.ended_at
    return isOld ? sessionTexts.sessionOld : sessionTexts.sessionEndedElsewhere
  })
}
