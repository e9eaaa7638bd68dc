import { randomBytes } from 'node:crypto'
import { defaultFeatures } from '@atrium/contract/access/scopes.ts'
import { memberName, signInEmail } from '@atrium/contract/members/details.ts'
import { inviteStaff } from '@atrium/contract/staff/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import { addUsualCategories } from '../documents/usual-categories.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Context } from '../foundation/context.ts'
import { nextNumber } from '../foundation/database/counters.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'
import { isEmailTaken } from '../foundation/email-spellings.ts'
import { refuse } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { addUsualRequestTypes } from '../requests/usual-types.ts'
import { hashPassword } from '../sessions/passwords/password.ts'

export type WorkspaceSummary = { workspace_id: string; subdomain: string; name: string; is_default: boolean }

export async function describeWorkspaces(context: Context): Promise<WorkspaceSummary[]> {
  const found: WorkspaceSummary[] = []
  for (const system of await listWorkspaces(context)) {
    const row = await reading(system, (tx) =>
      tx
        .selectFrom('workspaces')
        .select(['workspace_id', 'subdomain', 'name', 'is_default'])
        .where('workspace_id', '=', system.workspaceId)
        .executeTakeFirstOrThrow(),
    )
    found.push(row)
  }
  return found
}

/** Same pattern as the table's check constraint. */
const subdomainShape = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

function requireBrokerage({ subdomain, name }: { subdomain: string; name: string }): void {
  const sentence = 'may have lowercase letters, digits and hyphens between them, at most 63'
  if (!subdomainShape.test(subdomain)) refuse('invalid_input', `${subdomain} cannot be a subdomain: it ${sentence}.`)
  if (name.length > 120) refuse('invalid_input', 'The name may have at most 120 characters.')
}

/** Creates a brokerage. The first one also answers requests to bare hosts. */
export async function addWorkspace(context: Context, brokerage: { subdomain: string; name: string }): Promise<System> {
  requireBrokerage(brokerage)
  const isFirst = (await listWorkspaces(context)).length === 0
  const system = systemActor(context, newId())
  await inTransaction(system, async (tx) => {
    const features = JSON.stringify(defaultFeatures)
    const values = { ...brokerage, features, workspace_id: system.workspaceId, is_default: isFirst }
    const made = await tx
      .insertInto('workspaces')
      .values(values)
      .onConflict((conflict) => conflict.column('subdomain').doNothing())
      .executeTakeFirst()
    if (!made.numInsertedOrUpdatedRows) refuse('conflict', `The workspace ${brokerage.subdomain} already exists.`)
    await addUsualCategories(tx, system)
    await addUsualRequestTypes(tx, system)
    await audit(tx, system, {
      action: 'workspace.added',
      subject: { kind: 'workspace', id: system.workspaceId },
      after: brokerage,
    })
  })
  return system
}

export type NewStaff = { email: string; name: string; role: string }
export type NewMember = { email: string; first_name: string; last_name: string }

/** A random first password that the sign-in form accepts. The user changes it at the first sign-in. */
function firstPassword(): string {
  return `Aa1-${randomBytes(9).toString('base64url')}`
}

/** Refuses an address that the sign-in form would reject, since its user could never sign in. */
function readSignInEmail(email: string): string {
  const { success, data, error } = signInEmail.safeParse(email)
  return success ? data : refuse('invalid_input', `${email} cannot sign in: ${error.issues[0]?.message ?? ''}`)
}

/** The rule of the desk and of the member's profile, so that a name added here can be shown and changed there. */
function readName(rule: z.ZodType<string>, name: string): string {
  const { success, data, error } = rule.safeParse(name)
  return success ? data : refuse('invalid_input', error.issues[0]?.message ?? '')
}

/** Adds a desk user and returns the first password, which is stored nowhere. */
export async function addStaffUser(system: System, staff: NewStaff): Promise<string> {
  const email = readSignInEmail(staff.email)
  const name = readName(inviteStaff.input.shape.name, staff.name)
  const password = firstPassword()
  const password_hash = await hashPassword(password)
  const staff_id = newId()
  await inTransaction(system, async (tx) => {
    const created_at = system.context.clock.now()
    const values = { ...staff, name, email, workspace_id: system.workspaceId, staff_id, password_hash, created_at }
    if (await isEmailTaken(tx, system, 'staff_users', email)) refuse('conflict', deskTexts.staffEmailTaken)
    const made = await tx
      .insertInto('staff_users')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!made.numInsertedOrUpdatedRows) refuse('conflict', deskTexts.staffEmailTaken)
    await audit(tx, system, {
      action: 'staff.added',
      subject: { kind: 'staff', id: staff_id },
      after: { role: staff.role },
    })
  })
  return password
}

export function describeStaff(system: System) {
  return reading(system, (tx) =>
    tx
      .selectFrom('staff_users')
      .select(['staff_id', 'email', 'name', 'role', 'status'])
      .where('workspace_id', '=', system.workspaceId)
      .orderBy('email')
      .execute(),
  )
}

export async function addMember(system: System, member: NewMember): Promise<string> {
  const email = readSignInEmail(member.email)
  const [first_name, last_name] = [readName(memberName, member.first_name), readName(memberName, member.last_name)]
  const password = firstPassword()
  const password_hash = await hashPassword(password)
  const member_id = newId()
  await inTransaction(system, async (tx) => {
    if (await isEmailTaken(tx, system, 'members', email))
      refuse('conflict', 'A member with this address already exists.')
    const customer_number = await nextNumber(tx, system, 'customer')
    await tx
      .insertInto('members')
      .values({
        first_name,
        last_name,
        email,
        workspace_id: system.workspaceId,
        member_id,
        emails: [email],
        customer_number,
        password_hash,
        created_at: system.context.clock.now(),
      })
      .execute()
    await audit(tx, system, { action: 'member.added', subject: { kind: 'member', id: member_id }, memberId: member_id })
  })
  return password
}
