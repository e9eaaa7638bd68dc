import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { isUnscannable, problemOfScan, releaseRight } from '../files/scanning.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { fileReleased, recordKycDocumentEvent } from './history.ts'
import { holdKycDocuments } from './requirements.ts'

export async function releaseDocumentFile(staff: Staff, documentId: string, reason: string): Promise<void> {
  authorizeStaff(staff, releaseRight)
  await inTransaction(staff, async (tx) => {
    const document = await tx
      .selectFrom('documents')
      .select('media_id')
      .where('workspace_id', '=', staff.workspaceId)
      .where('document_id', '=', documentId)
      .executeTakeFirst()
    await release(tx, staff, document?.media_id ?? refuseNotFound(), reason)
  })
}

export async function releaseFile(staff: Staff, mediaId: string, reason: string): Promise<void> {
  authorizeStaff(staff, releaseRight)
  await inTransaction(staff, (tx) => release(tx, staff, mediaId, reason))
}

/**
 * Opens a member's file that waits for a virus scanner which was removed from the configuration, as files uploaded without
 * a scanner are open. While a scanner is configured it decides, also about files from before.
 */
async function release(tx: Tx, staff: Staff, mediaId: string, reason: string): Promise<void> {
  const memberId = await findOwner(tx, staff, mediaId)
  const held = await holdKycDocuments(tx, staff, memberId)
  if (held.status === 'erased') refuse('illegal_move', deskTexts.documentMemberErased)
  await refuseSelfDecision(tx, staff, memberId)
  const scan = await lockScan(tx, staff, mediaId)
  if (scan === 'none' || scan === 'clean') return
  if (!isUnscannable(staff.context, scan))
    refuse('conflict', scan === 'waiting' ? deskTexts.documentScanning : (problemOfScan(staff.context, scan) ?? ''))
  await tx
    .updateTable('media')
    .set({ scan: 'none' })
    .where('workspace_id', '=', staff.workspaceId)
    .where('media_id', '=', mediaId)
    .execute()
  const document = await tx
    .selectFrom('documents')
    .select('document_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .where('media_id', '=', mediaId)
    .executeTakeFirst()
  const documentId = document?.document_id
  if (documentId) await recordKycDocumentEvent(tx, staff, { memberId, documentId, event: fileReleased, note: reason })
  await audit(tx, staff, {
    action: 'file.released',
    subject: { kind: 'media', id: mediaId },
    memberId,
    before: { scan },
    after: { scan: 'none', reason },
  })
}

async function findOwner(tx: Tx, staff: Staff, mediaId: string): Promise<string> {
  const row = await tx
    .selectFrom('media')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('media_id', '=', mediaId)
    .executeTakeFirst()
  return row?.member_id ?? refuseNotFound()
}

/** Read under the lock: a process with a scanner may have found something meanwhile, and the sweep may have removed it. */
async function lockScan(tx: Tx, staff: Staff, mediaId: string): Promise<string> {
  const row = await tx
    .selectFrom('media')
    .select('scan')
    .where('workspace_id', '=', staff.workspaceId)
    .where('media_id', '=', mediaId)
    .forUpdate()
    .executeTakeFirst()
  return row?.scan ?? refuseNotFound()
}
