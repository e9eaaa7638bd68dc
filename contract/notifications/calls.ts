import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'

/** Groups of notifications whose mails a member can switch on or off. */
export const notificationGroups = ['money', 'documents', 'support', 'requests', 'accounts', 'security'] as const
export type NotificationGroup = (typeof notificationGroups)[number]

/** Mails about security cannot be switched off. */
export const choosableGroups = ['money', 'documents', 'support', 'requests', 'accounts'] as const
export type ChoosableGroup = (typeof choosableGroups)[number]

/** `always`: mailed regardless of preferences, for example actions that an attacker could take in the member's name. */
type NotificationRule = { group: NotificationGroup; mail: 'always' } | { group: ChoosableGroup; mail: 'preference' }

const byPreference = (group: ChoosableGroup): NotificationRule => ({ group, mail: 'preference' })
const always = (group: NotificationGroup): NotificationRule => ({ group, mail: 'always' })

/** All kinds of notifications to members, named `noun.past-tense`. */
export const notificationKinds = {
  'deposit.approved': byPreference('money'),
  'deposit.rejected': byPreference('money'),
  'withdrawal.requested': always('money'),
  'withdrawal.approved': always('money'),
  'withdrawal.paid': always('money'),
  'withdrawal.rejected': always('money'),
  'withdrawal.returned': always('money'),
  'document.approved': byPreference('documents'),
  'document.rejected': byPreference('documents'),
  'document.unverified': byPreference('documents'),
  'document.requested': byPreference('documents'),
  'document.expiring': byPreference('documents'),
  'document.expired': byPreference('documents'),
  'documents.approved': byPreference('documents'),
  'ticket.answered': byPreference('support'),
  'ticket.closed': byPreference('support'),
  'ticket.reopened': byPreference('support'),
  'ticket.merged': byPreference('support'),
  'request.answered': byPreference('requests'),
  'request.moved': byPreference('requests'),
  'request.decided': byPreference('requests'),
  'account.opened': byPreference('accounts'),
  'account.not-opened': byPreference('accounts'),
  'account.access-changed': always('accounts'),
  'trading-password.changed': always('security'),
  'destination.added': always('security'),
  'destination.changed': always('security'),
  'destination.removed': always('security'),
  'password.changed': always('security'),
  'device.appeared': always('security'),
  'details.changed': always('security'),
  'sign-in.locked': always('security'),
  'sign-in.unlocked': always('security'),
  'second-factor.added': always('security'),
  'second-factor.removed': always('security'),
  'recovery-code.used': always('security'),
  'recovery-codes.renewed': always('security'),
} satisfies Record<string, NotificationRule>

export type NotificationKind = keyof typeof notificationKinds
export const notificationKindNames = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]]

export const groupOf = (kind: NotificationKind): NotificationGroup => notificationKinds[kind].group

/** Link targets of notifications. `id` is the one in the portal's URL of the target. */
export const notificationTargetKinds = [
  'ticket',
  'document',
  'transaction',
  'account',
  'bank_account',
  'fund_account',
  'request',
  'security',
] as const
export type NotificationTargetKind = (typeof notificationTargetKinds)[number]
export type NotificationTarget = { kind: NotificationTargetKind; id?: string | undefined }

/** The portal's path of a notification's target. */
export function pathOfTarget({ kind, id }: NotificationTarget): string {
  switch (kind) {
    case 'ticket':
      return id ? `/support?id=${id}` : '/support'
    case 'document':
      return '/documents'
    case 'transaction':
      return id ? `/funds/transactions?open=${id}` : '/funds/transactions'
    case 'account':
      return id ? `/accounts/${id}` : '/accounts'
    case 'bank_account':
      return '/funds/bank-accounts'
    case 'fund_account':
      return '/funds/other-accounts'
    case 'request':
      return id ? `/requests?id=${id}` : '/requests'
    case 'security':
      return '/profile'
  }
}

/** The values for the placeholders of a notification's translated text. */
export type NotificationDetails = Readonly<Record<string, string>>

/** Fills the placeholders in one pass: a value that looks like a placeholder is not filled again. */
export function fillSentence(sentence: string, details: NotificationDetails): string {
  return sentence.replace(/\{\{(\w{1,20})\}\}/g, (gap, name: string) =>
    Object.hasOwn(details, name) ? `${details[name]}` : gap,
  )
}

export const notificationView = z.object({
  _id: z.uuid(),
  /** Incremented with each notification of the member; also the event id on the stream. */
  number: z.int(),
  kind: z.enum(notificationKindNames),
  group: z.enum(notificationGroups),
  title: z.string(),
  body: z.string(),
  details: z.record(z.string(), z.string()),
  target: z.object({ kind: z.enum(notificationTargetKinds), id: z.uuid().optional() }),
  read: z.boolean(),
  created_at: z.number(),
})
export type NotificationView = z.infer<typeof notificationView>

const ok = z.object({ status: z.literal('ok') })
/** `unread`: counted up to `noticesCountedMax`. `number`: of the newest change of the member's notifications. */
const boxView = z.object({ unread: z.int(), number: z.int() })

/** The member's own notifications, newest first; the last number shown is the cursor. */
export const listNotifications = defineCall({
  method: 'GET',
  path: '/members/notices',
  access: 'member',
  input: z.object({
    unread: z.enum(['true', 'false']).default('false'),
    before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.notificationsPageSize),
  }),
  answer: ok.extend({ notices: z.array(notificationView), more: z.boolean(), ...boxView.shape }),
})

export const readNotification = defineCall({
  method: 'POST',
  path: '/members/notices/:id/read',
  access: 'member',
  input: z.object({ id: z.uuid() }),
  answer: ok.extend(boxView.shape),
})

/** Marks those up to `number` as read; later ones stay unread. */
export const readAllNotifications = defineCall({
  method: 'POST',
  path: '/members/notices/read-all',
  access: 'member',
  input: z.object({ number: z.int().min(0) }),
  answer: ok.extend(boxView.shape),
})

/**
 * The state of the bell, and each later change for a client that accepts `text/event-stream`. An event's id is the last number
 * sent: the client sends it as `Last-Event-ID` and receives what follows, once.
 */
export const watchNotifications = defineCall({
  method: 'GET',
  path: '/members/notices/live',
  access: 'member',
  input: z.object({}),
  answer: ok.extend(boxView.shape),
})

/** An event named `notice` is a `notificationView`; the one named `bell` is the state after them. */
export const bellEvent = boxView
export type BellEvent = z.infer<typeof bellEvent>

const notificationPreferences = z.array(
  z.object({ group: z.enum(notificationGroups), is_mailed: z.boolean(), is_choosable: z.boolean() }),
)

export const readNotificationPreferences = defineCall({
  method: 'GET',
  path: '/members/notices/mail-wishes',
  access: 'member',
  input: z.object({}),
  answer: ok.extend({ groups: notificationPreferences }),
})

/** Changes one group per call, so that changes from two tabs do not overwrite each other. */
export const saveNotificationPreference = defineCall({
  method: 'POST',
  path: '/members/notices/mail-wishes',
  access: 'member',
  input: z.object({ group: z.enum(choosableGroups), is_mailed: z.boolean() }),
  answer: ok.extend({ groups: notificationPreferences, msg: z.array(z.string()) }),
})

/** For the unsubscribe link of a mail: it can only switch off mails of its kind. */
export const endMails = defineCall({
  method: 'POST',
  path: '/members/notices/end-mails',
  access: 'anyone',
  input: z.object({ token: z.string().min(1).max(500) }),
  answer: ok.extend({ group: z.enum(choosableGroups) }),
})
