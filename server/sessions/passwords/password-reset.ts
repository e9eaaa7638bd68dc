import { texts } from '@atrium/contract/texts.ts'
import type { System } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuseFields } from '../../foundation/errors.ts'
import { type Limit, networkOf, takeTry } from '../../foundation/rate-limit.ts'
import { notifyByMail } from '../../notifications/notify.ts'
import { readFairly } from '../fair-reads.ts'
import { rememberDevice } from '../known-device.ts'
import { passwordChangedMail } from '../notifications.ts'
import { type Kind, lockPerson, memberIdOf, ownerColumn, type Person, type PersonKey, readPerson } from '../person.ts'
import type { Device } from '../session.ts'
import { hashToken } from '../token.ts'
import { type Purpose, refuseWeakPassword, replacePassword } from './new-password.ts'
import { hashPassword } from './password.ts'

/** Counts wrong codes alone: 256 bits cannot be guessed, and `readFairly` bounds the load of look-ups. */
const codesPerAddress: Limit = { name: 'reset-code-address', triesMax: 30, windowSeconds: 15 * 60 }

export type OpenCode = PersonKey & { purpose: Purpose }

/** The person whose password the code may set; refuses unknown, used, superseded, expired and foreign codes alike. */
export async function checkCode(system: System, kind: Kind, code: string, device: Device): Promise<OpenCode> {
  const found = await readFairly(system, (tx) => findOpenCode(tx, system, kind, code))
  if (found) return found
  // After the look-up: wrong codes of others in the same network must not stop the holder of a link.
  await takeTry(system, codesPerAddress, networkOf(device.address))
  return refuseCode()
}

function refuseCode(): never {
  refuseFields({ code: [texts.resetLinkInvalid] })
}

/** An invitation activates a member; a reset is for an active one. */
const openTo: Record<Purpose, string> = { reset: 'active', invitation: 'invited' }

const nobodysId = '00000000-0000-0000-0000-000000000000'

async function findOpenCode(tx: Tx, system: System, kind: Kind, code: string): Promise<OpenCode | null> {
  const now = system.context.clock.now()
  const row = await tx
    .selectFrom('password_resets')
    .select([`${ownerColumn[kind]} as id`, 'purpose'])
    .where('workspace_id', '=', system.workspaceId)
    .where(ownerColumn[kind], 'is not', null)
    .where('code_hash', '=', hashToken(code))
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .where('expires_at', '>', now)
    .where('created_at', '<=', now)
    .executeTakeFirst()
  // Looks up a person for an invalid code too, so that both take the same time.
  const person = await readPerson(tx, system, { kind, id: row?.id ?? nobodysId })
  const purpose = row?.purpose as Purpose | undefined
  return person && purpose && person.status === openTo[purpose] ? { kind, id: person.id, purpose } : null
}

type ResetInput = { code: string; password: string }

/**
 * Of several concurrent uses of a code one succeeds; every session of the person ends. Returns the key of the browser,
 * now a known device, so that the mailbox's owner can sign in while others guess.
 */
export async function processReset(
  system: System,
  kind: Kind,
  input: ResetInput,
  device: Device,
): Promise<{ deviceKey: string; purpose: Purpose }> {
  await checkCode(system, kind, input.code, device)
  await refuseWeakPassword(system, input.password)
  const hash = await hashPassword(input.password, system)
  return inTransaction(system, async (tx) => {
    const { person, purpose } = await useCode(tx, system, kind, input.code)
    await replacePassword(tx, system, { person, hash })
    if (purpose === 'invitation') await acceptInvitation(tx, system, person)
    else await notifyOfReset(tx, system, person, device)
    return { deviceKey: await rememberDevice(tx, system, person, device), purpose }
  })
}

async function notifyOfReset(tx: Tx, system: System, person: Person, device: Device): Promise<void> {
  const { kind, id } = person
  const memberId = memberIdOf(person) ?? undefined
  await audit(tx, system, { action: 'password.reset', subject: { kind, id }, by: { kind, id }, memberId })
  const at = system.context.clock.now()
  await notifyByMail(tx, system, passwordChangedMail(person, { how: 'reset', device, at }))
}

/** Locks the person first, as every change of sign-in does, then checks again that the code is open. */
async function useCode(tx: Tx, system: System, kind: Kind, code: string) {
  const found = await findOpenCode(tx, system, kind, code)
  if (!found) refuseCode()
  const person = await lockPerson(tx, system, found)
  const open = await findOpenCode(tx, system, kind, code)
  if (!person || !open) refuseCode()
  await tx
    .updateTable('password_resets')
    .set({ used_at: system.context.clock.now() })
    .where('workspace_id', '=', system.workspaceId)
    .where('code_hash', '=', hashToken(code))
    .execute()
  return { person, purpose: open.purpose }
}

async function acceptInvitation(tx: Tx, system: System, { kind, id }: PersonKey): Promise<void> {
  if (kind === 'member') return welcomeMember(tx, system, id)
  await tx
    .updateTable('staff_users')
    .set({ status: 'active', has_password: true })
    .where('workspace_id', '=', system.workspaceId)
    .where('staff_id', '=', id)
    .execute()
  await audit(tx, system, { action: 'staff.joined', subject: { kind: 'staff', id }, after: { status: 'active' } })
}

/** A first password is not a change, which would hold withdrawals. */
async function welcomeMember(tx: Tx, system: System, id: string): Promise<void> {
  await tx
    .updateTable('members')
    .set({ status: 'active', password_changed_at: null })
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', id)
    .execute()
  const subject = { kind: 'member', id }
  await audit(tx, system, { action: 'member.joined', subject, memberId: id, after: { status: 'active' } })
}
