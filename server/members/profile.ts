import type { CallInput } from '@atrium/contract/call.ts'
import type { saveAddresses, saveContacts, savePreferences } from '@atrium/contract/members/calls.ts'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import type { Updateable } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import { authorize } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Members } from '../foundation/database/database.generated.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuse } from '../foundation/errors.ts'
import { notifyByMail } from '../notifications/notify.ts'
import { schedulePersonChange } from '../openings/person-change.ts'
import { readHoldHours } from '../sessions/factors/withdrawal-hold.ts'
import { replaceAddresses } from './addresses.ts'
import { preferenceColumns } from './member-columns.ts'
import { phoneChangedMail } from './notifications.ts'

export type Parts = { before: Record<string, unknown>; after: Record<string, unknown> }
type Change = {
  action: string
  /** The profile version shown on the screen. */
  version: number
  /** Whether trading platforms store it. */
  isStoredAtPlatforms?: boolean
  /** Reads the current value; `write` stores the new one. */
  compare(tx: Tx): Promise<Parts>
  write(tx: Tx): Promise<void>
}

/**
 * One change of the own profile; returns the new version. Saving the current value again succeeds; changing a version
 * that the member has not seen is a conflict, so the later of two tabs overwrites nothing.
 */
async function change(
  member: Member,
  { action, version, isStoredAtPlatforms = false, compare, write }: Change,
): Promise<number> {
  authorize(member, 'profile')
  return inTransaction(member, async (tx) => {
    const current = await lockVersion(tx, member)
    const { before, after } = await compare(tx)
    if (JSON.stringify(before) === JSON.stringify(after)) return current
    if (version !== current) refuse('conflict', profileTexts.profileChangedElsewhere)
    await write(tx)
    const { profile_version } = await tx
      .updateTable('members')
      .set({ profile_version: current + 1 })
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .returning('profile_version')
      .executeTakeFirstOrThrow()
    if (isStoredAtPlatforms) await schedulePersonChange(tx, member, member.memberId)
    await audit(tx, member, { action, subject: { kind: 'member', id: member.memberId }, before, after })
    return profile_version
  })
}

async function lockVersion(tx: Tx, member: Member): Promise<number> {
  await lockOwnMember(tx, member)
  const { profile_version } = await own(tx, member).select('profile_version').executeTakeFirstOrThrow()
  return profile_version
}

function own(tx: Tx, { workspaceId, memberId }: Member) {
  return tx.selectFrom('members').where('workspace_id', '=', workspaceId).where('member_id', '=', memberId)
}

type Columns = { [Name in (typeof preferenceColumns)[number]]?: string | null }

/** Changes several columns of the member's own row together. */
function changeColumns(member: Member, action: string, version: number, after: Columns): Promise<number> {
  const names = Object.keys(after) as (keyof Columns)[]
  return change(member, {
    action,
    version,
    compare: async (tx) => ({ before: await own(tx, member).select(names).executeTakeFirstOrThrow(), after }),
    write: (tx) => writeColumns(tx, member, after),
  })
}

async function writeColumns(tx: Tx, member: Member, set: Updateable<Members>): Promise<void> {
  await tx
    .updateTable('members')
    .set(set)
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .execute()
}

/** Removing a number or replacing the first holds withdrawals, as a new email does; a first or additional number does not. */
export function changeContacts(member: Member, { version, phones }: CallInput<typeof saveContacts>): Promise<number> {
  return change(member, {
    action: 'contacts.changed',
    version,
    isStoredAtPlatforms: true,
    compare: async (tx) => ({
      before: await own(tx, member).select('phones').executeTakeFirstOrThrow(),
      after: { phones },
    }),
    async write(tx) {
      const { phones: former, email } = await own(tx, member).select(['phones', 'email']).executeTakeFirstOrThrow()
      const isReplaced = former.some((phone) => !phones.includes(phone)) || (former[0] ?? phones[0]) !== phones[0]
      await writeColumns(tx, member, { phones, ...(isReplaced && { details_changed_at: member.context.clock.now() }) })
      if (!isReplaced) return
      const envelope = { to: email, memberId: member.memberId }
      await notifyByMail(tx, member, phoneChangedMail(envelope, await readHoldHours(tx, member)))
    },
  })
}

export function changePreferences(
  member: Member,
  { version, ...wanted }: CallInput<typeof savePreferences>,
): Promise<number> {
  // A page of an older version omits newer preferences.
  const given = preferenceColumns.filter((name) => wanted[name] !== undefined)
  const columns: Columns = Object.fromEntries(given.map((name) => [name, wanted[name]]))
  return changeColumns(member, 'preferences.changed', version, columns)
}

export function changeAddresses(member: Member, input: CallInput<typeof saveAddresses>): Promise<number> {
  const addresses = replaceAddresses(member, input.addresses)
  return change(member, {
    action: 'addresses.changed',
    version: input.version,
    isStoredAtPlatforms: true,
    ...addresses,
  })
}
