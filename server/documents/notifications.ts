import type { NotificationKind } from '@atrium/contract/notifications/calls.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { type Notification, notify } from '../notifications/notify.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

type DocumentNotification = { memberId: string; documentId: string; title: string; reason?: string }

const verdicts = {
  verify: { kind: 'document.approved', title: 'Your document was approved', body: '{{document}} is approved.' },
  reject: {
    kind: 'document.rejected',
    title: 'Your document was not accepted',
    body: '{{document}} was not accepted. {{reason}}',
  },
  unverify: {
    kind: 'document.unverified',
    title: 'We need a new copy of one of your documents',
    body: '{{document}} is no longer valid. {{reason}}',
  },
} as const satisfies Record<string, { kind: NotificationKind; title: string; body: string }>

/** Notifies once per verdict: its time is part of the idempotency key. */
export function notifyVerdict(
  tx: Tx,
  actor: Actor,
  what: keyof typeof verdicts,
  about: DocumentNotification,
): Promise<void> {
  const { kind, title, body } = verdicts[what]
  const details = { document: about.title, reason: about.reason ?? '' }
  const dedupeKey = `${kind}:${about.documentId}:${actor.context.clock.now().getTime()}`
  return notifyAbout(tx, actor, { memberId: about.memberId, kind, dedupeKey, title, body, details }, about.documentId)
}

export function notifyRequested(
  tx: Tx,
  actor: Actor,
  about: { memberId: string; requestId: string; name: string; note: string },
): Promise<void> {
  return notifyAbout(tx, actor, {
    memberId: about.memberId,
    kind: 'document.requested',
    dedupeKey: `document.requested:${about.requestId}`,
    title: 'We need another document',
    body: 'Please add: {{document}}. {{note}}',
    details: { document: about.name, note: about.note },
  })
}

export function notifyExpiring(
  tx: Tx,
  actor: Actor,
  about: DocumentNotification & { expiresOn: string },
): Promise<void> {
  const kind = 'document.expiring'
  const notification = {
    memberId: about.memberId,
    kind,
    dedupeKey: `${kind}:${about.documentId}:${about.expiresOn}`,
    title: 'One of your documents expires soon',
    body: '{{document}} is valid until {{day}}. Please add a new one in time.',
    details: { document: about.title, day: about.expiresOn },
  } as const
  return notifyAbout(tx, actor, notification, about.documentId)
}

export function notifyExpired(
  tx: Tx,
  actor: Actor,
  about: DocumentNotification & { expiresOn: string },
): Promise<void> {
  const kind = 'document.expired'
  const notification = {
    memberId: about.memberId,
    kind,
    dedupeKey: `${kind}:${about.documentId}:${about.expiresOn}`,
    title: 'One of your documents has expired',
    body: '{{document}} was valid until {{day}}. Please add a new one.',
    details: { document: about.title, day: about.expiresOn },
  } as const
  return notifyAbout(tx, actor, notification, about.documentId)
}

const checkLabels = {
  approved: {
    kind: 'document.approved',
    title: 'Your identity check was approved',
    body: 'No further action is needed.',
  },
  retry: {
    kind: 'document.unverified',
    title: 'Something is missing from your identity check',
    body: 'Please continue it. {{reason}}',
  },
  rejected: {
    kind: 'document.rejected',
    title: 'Your identity check was not accepted',
    body: 'Please add your documents here, or ask us. {{reason}}',
  },
} as const satisfies Record<string, { kind: NotificationKind; title: string; body: string }>

type CheckNotification = { memberId: string; checkId: string; at: Date; reason: string }

/** Notifies once per report of the vendor: its time is part of the idempotency key. */
export function notifyCheck(
  tx: Tx,
  actor: Actor,
  what: keyof typeof checkLabels,
  about: CheckNotification,
): Promise<void> {
  const { kind, title, body } = checkLabels[what]
  const dedupeKey = `identity-check:${about.checkId}:${about.at.getTime()}:${what}`
  return notifyAbout(tx, actor, {
    memberId: about.memberId,
    kind,
    dedupeKey,
    title,
    body,
    details: { reason: about.reason },
  })
}

type StatusNotification = { memberId: string; isForMany: boolean }

/** Notifies that an approval has ended although no document was decided about: the requirements or the check have changed. */
export function notifyApprovalEnded(
  tx: Tx,
  actor: Actor,
  { memberId, isForMany, isInReview }: StatusNotification & { isInReview: boolean },
): Promise<void> {
  return notifyAbout(tx, actor, {
    memberId,
    isForMany,
    kind: 'document.unverified',
    dedupeKey: `documents.approval-ended:${actor.context.clock.now().getTime()}`,
    title: 'Your identity is no longer verified',
    body: isInReview
      ? 'We are checking your documents again. No action is needed now.'
      : 'Please see under Documents what we need from you.',
  })
}

/** Notifies that everything is approved; the mail links to the next step of a new member. */
export async function notifyAllApproved(
  tx: Tx,
  actor: Actor,
  { memberId, isForMany }: StatusNotification,
): Promise<void> {
  await notifyAbout(tx, actor, {
    memberId,
    isForMany,
    kind: 'documents.approved',
    dedupeKey: `documents.approved:${actor.context.clock.now().getTime()}`,
    title: 'Your identity is verified',
    body: 'All your documents are approved.',
    ...(await nextStep(tx, actor, memberId)),
  })
}

/** The next step that this brokerage offers. */
async function nextStep(
  tx: Tx,
  actor: Actor,
  memberId: string,
): Promise<Partial<Pick<Notification, 'body' | 'action'>>> {
  const { features, settings } = await readWorkspace(tx, actor)
  const live = await tx
    .selectFrom('trading_accounts')
    .select('account_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('live_account', '=', true)
    .where('archived', '=', false)
    .where('deleted', '=', false)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  if (!live) {
    if (!features.accounts || !settings.acc_creation_live_configuration.enabled) return {}
    const body = 'All your documents are approved. You can open live accounts now.'
    return { body, action: { label: 'Open a live account', path: '/accounts/open-live-account' } }
  }
  const body = 'All your documents are approved. Your account is ready for deposits and withdrawals.'
  return features.deposits
    ? { body, action: { label: 'Make a deposit', path: `/funds/deposit/${live.account_id}` } }
    : {}
}

function notifyAbout(tx: Tx, actor: Actor, notification: Omit<Notification, 'target'>, id?: string): Promise<void> {
  return notify(tx, actor, { ...notification, target: { kind: 'document', ...(id && { id }) } })
}
