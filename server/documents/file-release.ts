import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { isUnscannable, problemOfScan } from '../files/scanning.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { recordKycDocumentEvent } from './history.ts'
import { holdKycDocuments } from './requirements.ts'

/**
 * Opens a document's file that waits for a virus scanner which was removed from the configuration, as files uploaded without a
 * scanner are open. While a scanner is configured it decides, also about files from before.
 */
export function releaseFile(staff: Staff, documentId: string, reason: string): Promise<void> {
  authorizeStaff(staff, 'documents.decide')
  return inTransaction(staff, async (tx) => {
    const memberId = await findOwner(tx, staff, documentId)
    const held = await holdKycDocuments(tx, staff, memberId)
    if (held.status === 'erased') refuse('illegal_move', deskTexts.documentMemberErased)
    await refuseSelfDecision(tx, staff, memberId)
    const { media_id, scan } = await lockFile(tx, staff, documentId)
    if (scan === 'none' || scan === 'clean') return
    if (!isUnscannable(staff.context, scan))
      refuse('conflict', scan === 'waiting' ? deskTexts.documentScanning : (problemOfScan(staff.context, scan) ?? ''))
    await tx
      .updateTable('media')
      .set({ scan: 'none' })
      .where('workspace_id', '=', staff.workspaceId)
      .where('media_id', '=', media_id)
      .execute()
    await recordKycDocumentEvent(tx, staff, { memberId, documentId, event: 'document.file-released', note: reason })
    await audit(tx, staff, {
      action: 'file.released',
      subject: { kind: 'media', id: media_id },
      memberId,
      before: { scan },
      after: { scan: 'none', reason },
    })
  })
}

async function findOwner(tx: Tx, staff: Staff, documentId: string): Promise<string> {
  const row = await tx
    .selectFrom('documents')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return row?.member_id ?? refuseNotFound()
}

/** Read again under the lock: a process with a scanner may have found something meanwhile. */
function lockFile(tx: Tx, staff: Staff, documentId: string): Promise<{ media_id: string; scan: string }> {
  return tx
    .selectFrom('media')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.workspace_id', '=', 'media.workspace_id')
        .onRef('documents.media_id', '=', 'media.media_id'),
    )
    .select(['media.media_id', 'media.scan'])
    .where('media.workspace_id', '=', staff.workspaceId)
    .where('documents.document_id', '=', documentId)
    .forUpdate('media')
    .executeTakeFirstOrThrow()
}
