import { holdsRight, type StaffRole } from '@atrium/contract/staff/rights.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { notifyAdministrators } from '../notifications/administrators.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { closeResetLinks, endSessionsOf } from '../sessions/passwords/new-password.ts'
import { readStaff, type WireStaff } from './queries.ts'

/** A desk user with the permission, or the command line. */
export type Manager = Staff | System
type Locked = { staff_id: string; name: string; email: string; role: string; status: string; has_password: boolean }

/**
 * The only way to change a desk user. Locks every administrator and the user in a fixed order: of two administrators
 * who concurrently remove each other, one succeeds and the other is refused.
 */
export async function changeStaff(
  actor: Manager,
  staffId: string,
  change: (tx: Tx, about: Locked) => Promise<void>,
): Promise<WireStaff> {
  if (actor.kind === 'staff') authorizeStaff(actor, 'staff.manage')
  return inTransaction(actor, async (tx) => {
    const about = await lockDesk(tx, actor, staffId)
    await change(tx, about)
    if (about.role === 'administrator' && about.status === 'active') await refuseLeaderless(tx, actor)
    return readStaff(tx, actor, staffId)
  })
}

async function lockDesk(tx: Tx, actor: Manager, staffId: string): Promise<Locked> {
  const locked = await tx
    .selectFrom('staff_users')
    .select(['staff_id', 'name', 'email', 'role', 'status', 'has_password'])
    .where('workspace_id', '=', actor.workspaceId)
    .where((is) => is.or([is('role', '=', 'administrator'), is('staff_id', '=', staffId)]))
    .orderBy('staff_id')
    .forNoKeyUpdate()
    .execute()
  if (actor.kind === 'staff') {
    // Checked again under the lock, because the permission may have been removed meanwhile.
    const self = locked.find((row) => row.staff_id === actor.staffId)
    if (self?.status !== 'active' || !holdsRight(self.role, 'staff.manage'))
      refuse('not_permitted', 'Your role does not allow this.')
    if (staffId === actor.staffId) refuse('illegal_move', deskTexts.staffSelf)
  }
  return locked.find((row) => row.staff_id === staffId) ?? refuseNotFound()
}

/** An unattended session must not give rights. The command line has none. */
async function requireProofOf(tx: Tx, actor: Manager): Promise<void> {
  if (actor.kind === 'staff') await requireProof(tx, actor)
}

/** A desk without an administrator could only be recovered from the command line. */
async function refuseLeaderless(tx: Tx, actor: Manager): Promise<void> {
  const left = await tx
    .selectFrom('staff_users')
    .select('staff_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('role', '=', 'administrator')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  if (!left) refuse('illegal_move', deskTexts.staffLastAdministrator)
}

/** `seen`: the role on the page of the decision, if it says so. */
export function changeStaffRole(actor: Manager, staffId: string, role: StaffRole, seen?: string): Promise<WireStaff> {
  return changeStaff(actor, staffId, async (tx, about) => {
    if (about.role === role) return
    if (seen !== undefined && seen !== about.role) refuse('conflict', deskTexts.recordChanged)
    await requireProofOf(tx, actor)
    await notifyOfDecider(
      tx,
      actor,
      [about.role, role],
      `changed the role of ${about.name} (${about.email}) to ${role}`,
    )
    await updateStaff(tx, actor, staffId, { role })
    await record(tx, actor, staffId, { action: 'staff.role-changed', before: { role: about.role }, after: { role } })
  })
}

/** Ends the user's sessions: every process refuses their next call. */
export function lockStaff(actor: Manager, staffId: string): Promise<WireStaff> {
  return changeStaff(actor, staffId, async (tx, about) => {
    if (about.status === 'locked') return
    const person = { kind: 'staff', id: staffId } as const
    await notifyOfDecider(tx, actor, [about.role], `locked the access of ${about.name} (${about.email})`)
    await updateStaff(tx, actor, staffId, { status: 'locked' })
    await closeResetLinks(tx, actor, person)
    const sessions = await endSessionsOf(tx, actor, person)
    const before = { status: about.status }
    await record(tx, actor, staffId, {
      action: 'staff.locked',
      before,
      after: { status: 'locked', sessions_ended: sessions },
    })
  })
}

/** Restores the previous status: active, or invited if the user never set a password. */
export function unlockStaff(actor: Manager, staffId: string): Promise<WireStaff> {
  return changeStaff(actor, staffId, async (tx, about) => {
    if (about.status !== 'locked') return
    await requireProofOf(tx, actor)
    const status = about.has_password ? 'active' : 'invited'
    await updateStaff(tx, actor, staffId, { status })
    await notifyOfDecider(tx, actor, [about.role], `unlocked the access of ${about.name} (${about.email})`)
    await record(tx, actor, staffId, { action: 'staff.unlocked', before: { status: 'locked' }, after: { status } })
  })
}

export function endSessionsOfStaff(actor: Manager, staffId: string): Promise<WireStaff> {
  return changeStaff(actor, staffId, async (tx) => {
    const count = await endSessionsOf(tx, actor, { kind: 'staff', id: staffId })
    await record(tx, actor, staffId, { action: 'staff.sessions-ended', after: { count } })
  })
}

export async function changeOwnName(actor: Staff, name: string): Promise<void> {
  await inTransaction(actor, async (tx) => {
    const renamed = await tx
      .updateTable('staff_users')
      .set({ name })
      .where('workspace_id', '=', actor.workspaceId)
      .where('staff_id', '=', actor.staffId)
      .where('name', '!=', name)
      .returning('staff_id')
      .executeTakeFirst()
    if (!renamed) return // The name is unchanged.
    await record(tx, actor, actor.staffId, { action: 'staff.renamed', before: { name: actor.name }, after: { name } })
  })
}

/** Called before an administrator is locked or loses the role, so that they are notified too. The command line has no colleagues. */
export async function notifyOfDecider(tx: Tx, actor: Manager, roles: readonly string[], did: string): Promise<void> {
  if (actor.kind !== 'staff' || !roles.some((role) => holdsRight(role, 'money.decide'))) return
  const meaning =
    'Finance and administrators approve money, and one of two approvals above an amount must be somebody else’s.'
  await notifyAdministrators(tx, actor, { did, meaning })
}

type Change = { role?: string; status?: string }

async function updateStaff(tx: Tx, actor: Manager, staffId: string, change: Change): Promise<void> {
  await tx
    .updateTable('staff_users')
    .set(change)
    .where('workspace_id', '=', actor.workspaceId)
    .where('staff_id', '=', staffId)
    .execute()
}

type Entry = { action: string; before?: Record<string, unknown>; after: Record<string, unknown> }

export function record(tx: Tx, actor: Manager, staffId: string, entry: Entry): Promise<void> {
  return audit(tx, actor, { ...entry, subject: { kind: 'staff', id: staffId } })
}
