import {
  type ChoosableGroup,
  fillSentence,
  type NotificationDetails,
  type NotificationGroup,
  type NotificationKind,
  type NotificationTarget,
  notificationKinds,
  pathOfTarget,
} from '@atrium/contract/notifications/calls.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { type Message, sendMail } from './mail.ts'
import { type MailRecipient, writeEndToken } from './notification-preferences.ts'
import { dropBox, takeNumber } from './notifications.ts'
import type { Letter } from './templates.ts'
import { writtenDay } from './written-time.ts'

export type Notification = {
  memberId: string
  kind: NotificationKind
  /** One notification for each key and member. */
  dedupeKey: string
  /** English sentences with gaps, e.g. `Ticket {{number}} was answered`. Text written by people goes into `details` only. */
  title: string
  body: string
  details?: NotificationDetails
  target: NotificationTarget
  /** Label and path of the mail's button, instead of the notification's own target. */
  action?: { label: string; path: string }
  /** One of many members notified together: the mail waits until all others are sent. */
  isForMany?: boolean
  /** Absent: a plain letter from title and body. */
  letter?: Message['letter']
}

/**
 * Notifies a member in the transaction that made the event true: a notification, and a mail where the kind or the
 * member's preference asks for one. Call it late: the member's box stays locked until the commit.
 */
export async function notify(tx: Tx, actor: Actor, notification: Notification): Promise<void> {
  const box = await takeNumber(tx, actor, notification.memberId)
  // Read under the box's lock: an erasure takes the same lock before it deletes the content.
  const member = await readRecipient(tx, actor, notification.memberId)
  if (member.status === 'erased') return dropBox(tx, actor, notification.memberId)
  if (!(await writeDown(tx, actor, notification, box.last_number))) return
  const rule = notificationKinds[notification.kind]
  if (rule.mail === 'preference' && (!isAdmitted(member) || box.mail_off.includes(rule.group))) return
  const letter = notification.letter ?? letterOf(notification)
  await sendMail(tx, actor, {
    to: member.email,
    memberId: notification.memberId,
    dedupeKey: `${notification.memberId}:${notification.dedupeKey}`,
    isForMany: notification.isForMany ?? false,
    ...(rule.mail === 'preference'
      ? { choice: rule.group, letter: withEnding(actor, { ...notification, email: member.email }, rule.group, letter) }
      : { letter }),
  })
}

/**
 * Who may sign in: active members. The mails of the others would lead into a portal that is closed to them, so these
 * notifications wait there, and only what is mailed regardless of preferences is mailed: it protects the account.
 */
const isAdmitted = ({ status }: { status: string }): boolean => status === 'active'

/** Adds the unsubscribe link. */
function withEnding(actor: Actor, to: MailRecipient, group: ChoosableGroup, letter: Message['letter']) {
  const token = writeEndToken(actor, to, group)
  return (place: { address: string; brand: string }): Letter => ({
    ...(typeof letter === 'function' ? letter(place) : letter),
    ending: { words: `No more emails about ${subjects[group]}`, url: `${place.address}/end-mails/${token}` },
  })
}

const subjects: Record<ChoosableGroup, string> = {
  money: 'deposits',
  documents: 'documents',
  support: 'support',
  requests: 'requests',
  accounts: 'trading accounts',
}

type Words = Pick<Notification, 'kind' | 'title' | 'body' | 'details' | 'target'>
/** A mail, and its notification where the recipient is a member. */
export type MailedNotification = Message & { notification: Words & { dedupeKey?: string } }

/** Staff get mails without notifications. Without a key every call is a new notification. */
export async function notifyByMail(
  tx: Tx,
  actor: Actor,
  { notification, memberId, to, letter }: MailedNotification,
): Promise<void> {
  if (memberId === null) return sendMail(tx, actor, { to, memberId, letter })
  const dedupeKey = notification.dedupeKey ?? `${notification.kind}:${newId()}`
  await notify(tx, actor, { ...notification, dedupeKey, memberId, letter })
}

function readRecipient(tx: Tx, actor: Actor, memberId: string): Promise<{ email: string; status: string }> {
  return tx
    .selectFrom('members')
    .select(['email', 'status'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
}

/** Returns false for a duplicate. */
async function writeDown(tx: Tx, actor: Actor, notification: Notification, notice_number: string): Promise<boolean> {
  const written = await tx
    .insertInto('notices')
    .values({
      workspace_id: actor.workspaceId,
      notice_id: newId(),
      member_id: notification.memberId,
      notice_number,
      kind: notification.kind,
      dedupe_key: notification.dedupeKey,
      title: notification.title,
      body: notification.body,
      details: JSON.stringify(notification.details ?? {}),
      target_kind: notification.target.kind,
      target_id: notification.target.id ?? null,
      created_at: actor.context.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'member_id', 'dedupe_key']).doNothing())
    .returning('notice_id')
    .executeTakeFirst()
  return written !== undefined
}

const actions: Record<NotificationGroup, string> = {
  money: 'See your transactions',
  documents: 'See your documents',
  support: 'See the ticket',
  requests: 'See your requests',
  accounts: 'See your accounts',
  security: 'See your security settings',
}

/** The maximum of the subject column (migration `mail`); a name can be longer. */
const subjectCharsMax = 200

/** The day is `2026-12-10`: pages format it for the reader, and mails write it out. */
const readable = (details: NotificationDetails): NotificationDetails =>
  details.day ? { ...details, day: writtenDay(details.day) } : details

function letterOf({ kind, title, body, details: given = {}, target, action }: Notification): Message['letter'] {
  const details = readable(given)
  const heading = fillSentence(title, details)
  return ({ address }): Letter => ({
    subject: Array.from(heading).slice(0, subjectCharsMax).join(''),
    heading,
    lines: [fillSentence(body, details)].filter((line) => line !== ''),
    action: {
      label: action?.label ?? actions[notificationKinds[kind].group],
      url: `${address}${action?.path ?? pathOfTarget(target)}`,
    },
    footnote: 'You also find this under Notifications in the portal.',
  })
}
