import {
  type ChoosableGroup,
  fillSentence,
  type NoticeDetails,
  type NoticeGroup,
  type NoticeKind,
  type NoticeTarget,
  noticeKinds,
  pathOfTarget,
} from '@atrium/contract/notifications/calls.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { type Message, sendMail } from './mail.ts'
import { dropBox, takeNumber } from './notices.ts'
import { writeEndToken } from './notification-preferences.ts'
import type { Letter } from './templates.ts'
import { writtenDay } from './written-time.ts'

export type Notice = {
  memberId: string
  kind: NoticeKind
  /** The same key for the same member is told once, however often it is said. */
  dedupeKey: string
  /** English sentences with gaps, e.g. `Ticket {{number}} was answered`. Whatever a person wrote stands in `details` only. */
  title: string
  body: string
  details?: NoticeDetails
  target: NoticeTarget
  /** What the mail's button says and where it leads, in place of where a click under the bell does. */
  action?: { label: string; path: string }
  /** Absent: a plain letter is made of title and body. */
  letter?: Message['letter']
}

/**
 * Tells a member something, in the transaction that made it true: a line under the bell, and a mail where the kind or the
 * member's wish asks for one. Call it late: the member's box stays locked until the commit.
 */
export async function notify(tx: Tx, actor: Actor, notice: Notice): Promise<void> {
  const box = await takeNumber(tx, actor, notice.memberId)
  // Looked at with the box in hand: an erasure takes it, and then what lies in it.
  const member = await readRecipient(tx, actor, notice.memberId)
  if (member.status === 'erased') return dropBox(tx, actor, notice.memberId)
  if (!(await writeDown(tx, actor, notice, box.last_number))) return
  const rule = noticeKinds[notice.kind]
  if (rule.mail === 'by-wish' && box.mail_off.includes(rule.group)) return
  const letter = notice.letter ?? letterOf(notice)
  await sendMail(tx, actor, {
    to: member.email,
    memberId: notice.memberId,
    dedupeKey: `${notice.memberId}:${notice.dedupeKey}`,
    letter: rule.mail === 'by-wish' ? withEnding(actor, notice.memberId, rule.group, letter) : letter,
  })
}

/** Who wants no more such mails says so where they are read. */
function withEnding(actor: Actor, memberId: string, group: ChoosableGroup, letter: Message['letter']) {
  const token = writeEndToken(actor, memberId, group)
  return (place: { address: string; brand: string }): Letter => ({
    ...(typeof letter === 'function' ? letter(place) : letter),
    ending: { words: `No more mails about ${subjects[group]}`, url: `${place.address}/end-mails/${token}` },
  })
}

const subjects: Record<ChoosableGroup, string> = {
  money: 'money',
  documents: 'documents',
  support: 'support',
  requests: 'requests',
  accounts: 'trading accounts',
}

type Words = Pick<Notice, 'kind' | 'title' | 'body' | 'details' | 'target'>
/** A letter to somebody, and what of it stands under the bell where that is a member. */
export type Told = Message & { notice: Words & { dedupeKey?: string } }

/** Staff have mails and no bell. Without a key each time is something new. */
export async function tell(tx: Tx, actor: Actor, { notice, memberId, to, letter }: Told): Promise<void> {
  if (memberId === null) return sendMail(tx, actor, { to, memberId, letter })
  const dedupeKey = notice.dedupeKey ?? `${notice.kind}:${newId()}`
  await notify(tx, actor, { ...notice, dedupeKey, memberId, letter })
}

function readRecipient(tx: Tx, actor: Actor, memberId: string): Promise<{ email: string; status: string }> {
  return tx
    .selectFrom('members')
    .select(['email', 'status'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
}

/** False when it was told before. */
async function writeDown(tx: Tx, actor: Actor, notice: Notice, notice_number: string): Promise<boolean> {
  const written = await tx
    .insertInto('notices')
    .values({
      workspace_id: actor.workspaceId,
      notice_id: newId(),
      member_id: notice.memberId,
      notice_number,
      kind: notice.kind,
      dedupe_key: notice.dedupeKey,
      title: notice.title,
      body: notice.body,
      details: JSON.stringify(notice.details ?? {}),
      target_kind: notice.target.kind,
      target_id: notice.target.id ?? null,
      created_at: actor.context.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'member_id', 'dedupe_key']).doNothing())
    .returning('notice_id')
    .executeTakeFirst()
  return written !== undefined
}

const actions: Record<NoticeGroup, string> = {
  money: 'See your transactions',
  documents: 'See your documents',
  support: 'See the ticket',
  requests: 'See your requests',
  accounts: 'See your accounts',
  security: 'See your security settings',
}

/** What a mail's subject holds (migration `mail`); a name of somebody may be longer. */
const subjectCharsMax = 200

/** Told as `2026-12-10`: pages write it as their reader does, and a letter as letters do. */
const readable = (details: NoticeDetails): NoticeDetails =>
  details.day ? { ...details, day: writtenDay(details.day) } : details

function letterOf({ kind, title, body, details: told = {}, target, action }: Notice): Message['letter'] {
  const details = readable(told)
  const heading = fillSentence(title, details)
  return ({ address }): Letter => ({
    subject: Array.from(heading).slice(0, subjectCharsMax).join(''),
    heading,
    lines: [fillSentence(body, details)].filter((line) => line !== ''),
    action: {
      label: action?.label ?? actions[noticeKinds[kind].group],
      url: `${address}${action?.path ?? pathOfTarget(target)}`,
    },
    footnote: 'You also find this under Notifications in the portal.',
  })
}
