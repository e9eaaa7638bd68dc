import { type DocumentMove, type DocumentStatus, documentMoves, mayMove } from '@atrium/contract/documents/states.ts'
import { unverifyReasons } from '@atrium/contract/documents/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { isUnscannable, problemOfScan } from '../files/scanning.ts'
import { type Actor, authorizeStaff, type Staff, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { brokerageDay } from '../workspaces/today.ts'
import { recordKycDocumentEvent } from './history.ts'
import { notifyExpired, notifyVerdict } from './notifications.ts'
import { type HeldKycDocuments, holdKycDocuments, settleStatus } from './requirements.ts'
import { hasSuccessor, linkRenewals } from './successor.ts'

/** Approves a KYC document, with the last valid day printed on it. */
export function verifyDocument(staff: Staff, id: string, expiresOn?: string | null, seen?: Seen): Promise<void> {
  return decide(staff, id, async (tx, held, row) => {
    await refuseSelfDecision(tx, staff, held.member_id)
    mustMove('verify', row, seen)
    // A file that is not served cannot have been reviewed.
    if (isUnscannable(staff.context, row.scan)) refuse('conflict', deskTexts.documentUnscanned)
    const problem = problemOfScan(staff.context, row.scan)
    if (problem) refuse('conflict', problem)
    // A kind without a last day keeps none that staff took away: it would end the member's approval on a day that nobody set.
    const expires_on = expiresOn === null && !row.expires ? null : (expiresOn ?? row.expires_on)
    if (row.expires && !expires_on) refuseFields({ expires_on: [deskTexts.documentNeedsExpiry] })
    if (expires_on && expires_on < (await brokerageDay(tx, staff)))
      refuseFields({ expires_on: [deskTexts.documentExpired] })
    await move(tx, staff, held, row, {
      what: 'verify',
      set: { expires_on, reject_reason: null, unverify_reason: null },
    })
    if (row.document_request_id) await setRequestState(tx, staff, row.document_request_id, 'done')
  })
}

export function rejectDocument(staff: Staff, id: string, reason: string, seen?: Seen): Promise<void> {
  return decide(staff, id, async (tx, held, row) => {
    mustMove('reject', row, seen)
    await move(tx, staff, held, row, { what: 'reject', reason, set: { reject_reason: reason, unverify_reason: null } })
  })
}

/** Takes an approval back: the member must act again, and what depended on the approval may be blocked again. */
export function unverifyDocument(staff: Staff, id: string, reason: string, seen?: Seen): Promise<void> {
  return decide(staff, id, async (tx, held, row) => {
    mustMove('unverify', row, seen)
    await move(tx, staff, held, row, { what: 'unverify', reason, set: { unverify_reason: reason } })
    if (row.document_request_id) await setRequestState(tx, staff, row.document_request_id, 'open')
  })
}

/** Takes an approval back after the document's last valid day. A no-op if the document has changed meanwhile. */
export async function expireDocument(system: System, id: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const found = await holdDocument(tx, system, id)
    if (!found) return
    const { held, row } = found
    const isOver =
      row.status === 'approved' && row.expires_on !== null && row.expires_on < (await brokerageDay(tx, system))
    if (!isOver || held.status === 'erased') return
    const [reason] = unverifyReasons
    await move(tx, system, held, row, { what: 'unverify', reason, set: { unverify_reason: reason }, event: 'expired' })
    if (row.document_request_id && !(await hasSuccessor(tx, system, id, ['approved']))) {
      await setRequestState(tx, system, row.document_request_id, 'open')
      await linkRenewals(tx, system, id)
    }
    const isRenewed = await hasSuccessor(tx, system, id)
    await settleStatus(tx, system, held, { isNotified: !isRenewed })
    if (isRenewed) return
    const notification = { memberId: held.member_id, documentId: id, title: row.title, expiresOn: row.expires_on ?? '' }
    await notifyExpired(tx, system, notification)
  })
}

type Decide = (tx: Tx, held: HeldKycDocuments, row: DocumentRow) => Promise<void>

async function decide(staff: Staff, id: string, work: Decide): Promise<void> {
  authorizeStaff(staff, 'documents.decide')
  await inTransaction(staff, async (tx) => {
    const found = await holdDocument(tx, staff, id)
    if (!found) refuseNotFound()
    if (found.held.status === 'erased') refuse('illegal_move', deskTexts.documentMemberErased)
    await work(tx, found.held, found.row)
    await settleStatus(tx, staff, found.held, { isNotified: true })
  })
}

type DocumentRow = {
  document_id: string
  member_id: string
  status: string
  title: string
  expires_on: string | null
  document_request_id: string | null
  /** Whether this kind of document has a last valid day. */
  expires: boolean | null
  scan: string
}

/** Locks the member, then the KYC document; every caller uses this order. */
async function holdDocument(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ held: HeldKycDocuments; row: DocumentRow } | null> {
  const owner = await tx
    .selectFrom('documents')
    .select('member_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('document_id', '=', id)
    .executeTakeFirst()
  if (!owner) return null
  const held = await holdKycDocuments(tx, actor, owner.member_id)
  const row = await tx
    .selectFrom('documents')
    .innerJoin('media', (join) =>
      join
        .onRef('media.workspace_id', '=', 'documents.workspace_id')
        .onRef('media.media_id', '=', 'documents.media_id'),
    )
    .leftJoin('valid_documents as valid', (join) =>
      join
        .onRef('valid.workspace_id', '=', 'documents.workspace_id')
        .onRef('valid.valid_document_id', '=', 'documents.valid_document_id'),
    )
    .select(['document_id', 'documents.member_id', 'status', 'title', 'expires_on', 'document_request_id'])
    .select(['valid.expires', 'media.scan'])
    .where('documents.workspace_id', '=', actor.workspaceId)
    .where('document_id', '=', id)
    .forUpdate('documents')
    .executeTakeFirstOrThrow()
  return { held, row }
}

/** The status on the page of the decision, if it says so. */
type Seen = DocumentStatus | undefined

function mustMove(what: DocumentMove, { status }: DocumentRow, seen: Seen): void {
  if (!mayMove(what, status)) refuse('illegal_move', deskTexts.documentDecided)
  if (seen !== undefined && seen !== status) refuse('conflict', deskTexts.documentMoved)
}

type Move = {
  what: DocumentMove
  reason?: string
  set: { expires_on?: string | null; reject_reason?: string | null; unverify_reason?: string | null }
  event?: string
}

const pastOf = { verify: 'approved', reject: 'rejected', unverify: 'unverified' }

async function move(
  tx: Tx,
  actor: Actor,
  held: HeldKycDocuments,
  row: DocumentRow,
  { what, reason, set, event }: Move,
) {
  const status = documentMoves[what].to
  const decided = { decided_by: actor.kind === 'staff' ? actor.staffId : null, decided_at: actor.context.clock.now() }
  await tx
    .updateTable('documents')
    .set({ ...set, ...decided, status })
    .where('workspace_id', '=', actor.workspaceId)
    .where('document_id', '=', row.document_id)
    .execute()
  const name = `document.${event ?? pastOf[what]}`
  const [memberId, documentId] = [held.member_id, row.document_id]
  const hasNewDay = set.expires_on !== undefined && set.expires_on !== row.expires_on
  await recordKycDocumentEvent(tx, actor, { memberId, documentId, event: name, note: reason ?? null })
  await audit(tx, actor, {
    action: name,
    subject: { kind: 'document', id: documentId },
    memberId,
    before: { status: row.status, ...(hasNewDay && { expires_on: row.expires_on }) },
    after: { status, ...(reason && { reason }), ...(hasNewDay && { expires_on: set.expires_on }) },
  })
  // The expiry sends its own notification.
  if (!event)
    await notifyVerdict(tx, actor, what, { memberId, documentId, title: row.title, ...(reason && { reason }) })
}

/** Marks the staff's request done when its document is approved, and open again when it no longer is, unless withdrawn. */
async function setRequestState(tx: Tx, actor: Actor, id: string, state: 'open' | 'done'): Promise<void> {
  await tx
    .updateTable('document_requests')
    .set({ state })
    .where('workspace_id', '=', actor.workspaceId)
    .where('document_request_id', '=', id)
    .where('state', '<>', 'withdrawn')
    .execute()
}
