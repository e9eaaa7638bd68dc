import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

/** Its note is for the desk alone. */
export const fileReleased = 'document.file-released'

export type KycDocumentEvent = {
  memberId: string
  event: string
  documentId?: string
  requestId?: string
  /** The reason, or the text of the staff's request. */
  note?: string | null
}

/** Adds a line to the member's KYC history, in the transaction of the change itself. */
export async function recordKycDocumentEvent(tx: Tx, actor: Actor, entry: KycDocumentEvent): Promise<void> {
  await tx
    .insertInto('document_events')
    .values({
      workspace_id: actor.workspaceId,
      event_id: newId(),
      member_id: entry.memberId,
      document_id: entry.documentId ?? null,
      document_request_id: entry.requestId ?? null,
      at: actor.context.clock.now(),
      event: entry.event,
      actor_kind: actor.kind,
      staff_id: actor.kind === 'staff' ? actor.staffId : null,
      note: entry.note ?? null,
    })
    .execute()
}
