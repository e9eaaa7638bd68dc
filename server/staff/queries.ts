import type { Staff, System } from '../foundation/actor.ts'
import { authorizeStaff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { isLiveSession, lifeSpan } from '../sessions/session.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

const shownMax = 500

/** The brokerage's staff by name, without paging: a desk has dozens of users. */
export async function listStaff(actor: Staff) {
  authorizeStaff(actor, 'staff.manage')
  const rows = await reading(actor, async (tx) => {
    const span = await readSpan(tx, actor)
    return staffRows(tx, actor, span).orderBy('name').orderBy('staff_id').limit(shownMax).execute()
  })
  return rows.map((row) => wireStaff(row, actor))
}

export async function readStaff(tx: Tx, actor: Staff | System, staffId: string) {
  const span = await readSpan(tx, actor)
  const row = await staffRows(tx, actor, span).where('staff_id', '=', staffId).executeTakeFirst()
  return row ? wireStaff(row, actor) : refuseNotFound()
}

export type WireStaff = Awaited<ReturnType<typeof readStaff>>

async function readSpan(tx: Tx, actor: Staff | System): Promise<Span> {
  return lifeSpan(actor, (await readWorkspace(tx, actor)).settings)
}
type Span = ReturnType<typeof lifeSpan>

function staffRows(tx: Tx, actor: Staff | System, span: Span) {
  return tx
    .selectFrom('staff_users')
    .select(['staff_id', 'name', 'email', 'role', 'status', 'created_at'])
    .select(({ selectFrom, ref }) => [
      selectFrom('sessions')
        .select(({ fn }) => fn.max('last_seen_at').as('at'))
        .where('sessions.workspace_id', '=', actor.workspaceId)
        .where('sessions.staff_id', '=', ref('staff_users.staff_id'))
        .as('last_seen_at'),
      selectFrom('sessions')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('sessions.workspace_id', '=', actor.workspaceId)
        .where('sessions.staff_id', '=', ref('staff_users.staff_id'))
        .where(isLiveSession(span))
        .as('sessions'),
      selectFrom('password_resets')
        .select('expires_at')
        .where('password_resets.workspace_id', '=', actor.workspaceId)
        .where('password_resets.staff_id', '=', ref('staff_users.staff_id'))
        .where('purpose', '=', 'invitation')
        .where('used_at', 'is', null)
        .where('superseded_at', 'is', null)
        .where('expires_at', '>', span.now)
        .limit(1)
        .as('invited_until'),
    ])
    .where('staff_users.workspace_id', '=', actor.workspaceId)
}

type StaffRow = Awaited<ReturnType<ReturnType<typeof staffRows>['executeTakeFirstOrThrow']>>

function wireStaff(row: StaffRow, actor: Staff | System) {
  return {
    _id: row.staff_id,
    name: row.name,
    email: row.email,
    role: row.role,
    state: row.status as 'active' | 'locked' | 'invited',
    created_at: row.created_at.getTime(),
    last_seen_at: row.last_seen_at?.getTime() ?? null,
    sessions: Number(row.sessions ?? 0),
    invited_until: row.invited_until?.getTime() ?? null,
    self: actor.kind === 'staff' && actor.staffId === row.staff_id,
  }
}
