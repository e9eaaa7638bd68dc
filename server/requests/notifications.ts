import { isFinalRequest, type RequestState } from '@atrium/contract/requests/states.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { type Notification, notify } from '../notifications/notify.ts'
import type { RequestRow } from './event.ts'

/** The notification for each status. Members are not notified of assignments or of requests moved back to the queue. */
const moves: Partial<Record<RequestState, Pick<Notification, 'title' | 'body'>>> = {
  'in-progress': {
    title: 'Request {{request}} is being worked on',
    body: '{{name}} is working on "{{subject}}".',
  },
  done: { title: 'Request {{request}} is done', body: '"{{subject}}" is done. Read the answer in the portal.' },
  rejected: {
    title: 'Request {{request}} was rejected',
    body: '"{{subject}}" was rejected. Read the reason in the portal.',
  },
  canceled: {
    title: 'Request {{request}} was cancelled',
    body: '{{name}} cancelled "{{subject}}". Read the reason in the portal.',
  },
}

/**
 * Notifies a member of a request's new status, without the comment: a mail is less protected than the portal.
 */
export async function notifyMove(tx: Tx, staff: Staff, request: RequestRow, to: RequestState): Promise<void> {
  const words = moves[to]
  if (words)
    await notifyHolder(tx, staff, request, { kind: isFinalRequest(to) ? 'request.decided' : 'request.moved', ...words })
}

export function notifyComment(tx: Tx, staff: Staff, request: RequestRow): Promise<void> {
  return notifyHolder(tx, staff, request, {
    kind: 'request.answered',
    title: 'Request {{request}} was answered',
    body: '{{name}} answered "{{subject}}". Read the answer in the portal.',
  })
}

function notifyHolder(
  tx: Tx,
  staff: Staff,
  request: RequestRow,
  words: Pick<Notification, 'kind' | 'title' | 'body'>,
): Promise<void> {
  return notify(tx, staff, {
    ...words,
    memberId: request.member_id,
    dedupeKey: `${words.kind}:${newId()}`,
    details: { request: String(request.number), subject: request.subject, name: staff.name },
    target: { kind: 'request', id: request.request_id },
  })
}
