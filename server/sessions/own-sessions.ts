import type { Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { describeDevice } from './device.ts'
import { endSessionsOf } from './new-password.ts'

const shownMax = 100

/** Where the member is signed in right now, the latest sign of life first. */
export async function listSessions(member: Member) {
  const { clock, config } = member.ground
  const now = clock.now()
  const rows = await reading(member, (tx) =>
    tx
      .selectFrom('sessions')
      .select(['session_id', 'user_agent', 'address', 'created_at', 'last_seen_at'])
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .where('last_seen_at', '>', new Date(now.getTime() - config.sessionIdleMs))
      .orderBy('last_seen_at', 'desc')
      .orderBy('session_id', 'desc')
      .limit(shownMax)
      .execute(),
  )
  return rows.map((row) => ({
    _id: row.session_id,
    device: describeDevice(row.user_agent),
    address: row.address,
    created_at: row.created_at.getTime(),
    last_seen_at: row.last_seen_at.getTime(),
    current: row.session_id === member.sessionId,
  }))
}

export async function endOwnSession(member: Member, sessionId: string): Promise<void> {
  await inTransaction(member, async (tx) => {
    const ended = await tx
      .updateTable('sessions')
      .set({ ended_at: member.ground.clock.now() })
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('session_id', '=', sessionId)
      .where('ended_at', 'is', null)
      .returning('session_id')
      .executeTakeFirst()
    if (!ended) refuseNotFound()
    await audit(tx, member, { action: 'session.ended', subject: { kind: 'session', id: sessionId } })
  })
}

export async function endOtherSessions(member: Member): Promise<number> {
  return inTransaction(member, async (tx) => {
    const count = await endSessionsOf(tx, member, member.memberId)
    const subject = { kind: 'member', id: member.memberId }
    await audit(tx, member, { action: 'sessions.ended', subject, after: { count } })
    return count
  })
}
