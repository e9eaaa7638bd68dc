import { createHash } from 'node:crypto'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import { type ChoosableGroup, choosableGroups, notificationGroups } from '@atrium/contract/notifications/calls.ts'
import { type Actor, authorize, type Member, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuse } from '../foundation/errors.ts'
import { type Limit, networkOf, takeTry } from '../foundation/rate-limit.ts'

/** The member's mail preferences. Security mails cannot be turned off, so an intruder cannot silence them. */
export async function readPreferences(member: Member) {
  authorize(member, 'profile')
  return preferencesBut(await reading(member, (tx) => readOff(tx, member, member.memberId)))
}

export async function savePreference(
  member: Member,
  { group, is_mailed }: { group: ChoosableGroup; is_mailed: boolean },
) {
  authorize(member, 'profile')
  return preferencesBut(await inTransaction(member, (tx) => write(tx, member, member.memberId, { group, is_mailed })))
}

const isChoosable = (group: string): group is ChoosableGroup => (choosableGroups as readonly string[]).includes(group)

const preferencesBut = (off: readonly string[]) =>
  notificationGroups.map((group) => ({ group, is_mailed: !off.includes(group), is_choosable: isChoosable(group) }))

/** The groups that the member turned off. */
export async function readOff(tx: Tx, actor: Actor, memberId: string): Promise<string[]> {
  const box = await tx
    .selectFrom('notice_boxes')
    .select('mail_off')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return box?.mail_off ?? []
}

type Preference = { group: ChoosableGroup; is_mailed: boolean }

/** Returns the groups that are no longer mailed. */
async function write(tx: Tx, actor: Actor, memberId: string, { group, is_mailed }: Preference): Promise<string[]> {
  const key = { workspace_id: actor.workspaceId, member_id: memberId }
  await holdMember(tx, actor, memberId)
  await tx
    .insertInto('notice_boxes')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { mail_off: before } = await tx
    .selectFrom('notice_boxes')
    .select('mail_off')
    .where('workspace_id', '=', key.workspace_id)
    .where('member_id', '=', key.member_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (before.includes(group) === !is_mailed) return before
  const mail_off = is_mailed ? before.filter((each) => each !== group) : [...before, group].sort()
  await tx
    .updateTable('notice_boxes')
    .set({ mail_off })
    .where('workspace_id', '=', key.workspace_id)
    .where('member_id', '=', key.member_id)
    .execute()
  await audit(tx, actor, {
    action: 'mail-wishes.changed',
    subject: { kind: 'member', id: memberId },
    memberId,
    before: { mail_off: before },
    after: { mail_off },
  })
  return mail_off
}

export type MailRecipient = { memberId: string; email: string }

/**
 * The token of a mail's unsubscribe link: ends mails of one group to one member, as long as they go to the address of this
 * mail, and nothing else. Sealed against forgery; it names the workspace, so that no other accepts it.
 */
export function writeEndToken(
  { context, workspaceId }: Actor,
  { memberId, email }: MailRecipient,
  group: ChoosableGroup,
): string {
  const words = [use, workspaceId, memberId, group, digestOf(email)]
  return context.seal.seal(JSON.stringify(words)).toString('base64url')
}

const digestOf = (email: string): string => createHash('sha256').update(email).digest('base64url')

/** Distinguishes these tokens from others sealed with the same key. */
const use = 'end-mails'

/** Wrong links alone count by network: mail programs of many members open the right ones from one address. */
const wrongLinks: Limit = { name: 'end-mails-network', triesMax: 60, windowSeconds: 15 * 60 }
const endings: Limit = { name: 'end-mails-member', triesMax: 60, windowSeconds: 15 * 60 }

/** Only turns mails off: turning them on needs a sign-in. Idempotent. */
export async function endMailsBy(system: System, token: string): Promise<ChoosableGroup> {
  const [found, workspaceId, memberId, group, address] = openToken(system, token)
  if (found !== use || workspaceId !== system.workspaceId || !memberId || !group || !isChoosable(group)) {
    await takeTry(system, wrongLinks, networkOf(system.address))
    return refuse('not_found', profileTexts.endMailsLinkWrong)
  }
  await takeTry(system, endings, memberId)
  await inTransaction(system, async (tx) => {
    const member = await tx
      .selectFrom('members')
      .select(['status', 'email'])
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .executeTakeFirst()
    // Whoever holds a former mailbox must not silence the present one. Links of earlier versions name no address.
    const isFormer = address !== undefined && member && address !== digestOf(member.email)
    if (!member || member.status === 'erased' || isFormer) refuse('not_found', profileTexts.endMailsLinkWrong)
    await write(tx, system, memberId, { group, is_mailed: false })
  })
  return group
}

function openToken({ context }: System, token: string): (string | undefined)[] {
  try {
    const words: unknown = JSON.parse(context.seal.open(Buffer.from(token, 'base64url')))
    return Array.isArray(words) ? words.map(String) : []
  } catch {
    return [] // Truncated, altered or forged: the link does not work.
  }
}
