import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Actor, Member, Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { assertState, refuse, refuseNotFound } from '../foundation/errors.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { describeDevice } from './device.ts'
import { endOneSession, endSessionsOf } from './passwords/new-password.ts'
import { lockPerson, ownerColumn, type Person, type PersonKey } from './person.ts'
import { isLiveSession, lifeSpan } from './session.ts'

const shownMax = 100

export function personOf(actor: Member | Staff): PersonKey {
  return { kind: actor.kind, id: actor.kind === 'member' ? actor.memberId : actor.staffId }
}

/**
 * Locks the caller's own row. Refuses a person erased during the call, and a session ended during it: who ends sessions
 * locks this row too, so a password or a factor that an intruder is changing does not outlast the end of their session.
 */
export async function lockSelf(tx: Tx, actor: Member | Staff): Promise<Person> {
  const row = await lockPerson(tx, actor, personOf(actor))
  assertState(row, 'a session without its person')
  if (row.status === 'erased') refuse('illegal_move', deskTexts.memberErased)
  const session = await tx
    .selectFrom('sessions')
    .select('session_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('session_id', '=', actor.sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!session) refuse('unauthenticated', sessionTexts.sessionEndedElsewhere)
  return row
}

/** A person's live sessions, latest activity first. */
export async function readLiveSessions(actor: Actor, { kind, id }: PersonKey) {
  const rows = await reading(actor, async (tx) => {
    const { settings } = await readWorkspace(tx, actor)
    return tx
      .selectFrom('sessions')
      .select(['session_id', 'user_agent', 'address', 'created_at', 'last_seen_at'])
      .where('sessions.workspace_id', '=', actor.workspaceId)
      .where(ownerColumn[kind], '=', id)
      .where(isLiveSession(lifeSpan(actor, settings)))
      .orderBy('last_seen_at', 'desc')
      .orderBy('session_id', 'desc')
      .limit(shownMax)
      .execute()
  })
  return rows.map((row) => ({
    _id: row.session_id,
    device: describeDevice(row.user_agent),
    address: row.address,
    created_at: row.created_at.getTime(),
    last_seen_at: row.last_seen_at.getTime(),
  }))
}

export async function listSessions(actor: Member | Staff) {
  const rows = await readLiveSessions(actor, personOf(actor))
  return rows.map((row) => ({ ...row, current: row._id === actor.sessionId }))
}

export async function endOwnSession(actor: Member | Staff, sessionId: string): Promise<void> {
  await inTransaction(actor, async (tx) => {
    await lockSelf(tx, actor)
    if (!(await endOneSession(tx, actor, personOf(actor), sessionId))) refuseNotFound()
    await audit(tx, actor, { action: 'session.ended', subject: { kind: 'session', id: sessionId } })
  })
}

export async function endOtherSessions(actor: Member | Staff): Promise<number> {
  const person = personOf(actor)
  return inTransaction(actor, async (tx) => {
    await lockSelf(tx, actor)
    const count = await endSessionsOf(tx, actor, person)
    await audit(tx, actor, { action: 'sessions.ended', subject: person, after: { count } })
    return count
  })
}
