import type { DocumentStatus } from '@atrium/contract/documents/states.ts'
import { sql } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

const counting: readonly DocumentStatus[] = ['in_verification', 'approved']

/** True in a query over `documents` for one whose category has another that is valid longer or in verification, so that no renewal is needed. */
export const isSucceeded = (statuses: readonly DocumentStatus[] = counting) => sql<boolean>`exists (
  select from documents as newer where newer.workspace_id = documents.workspace_id
    and newer.member_id = documents.member_id and newer.file_category_id = documents.file_category_id
    and newer.document_id <> documents.document_id and newer.status = any(${statuses}::text[])
    and (newer.status <> 'approved' or newer.expires_on is null or newer.expires_on > documents.expires_on))`

/** The same for one document. */
export async function hasSuccessor(tx: Tx, actor: Actor, documentId: string, statuses = counting): Promise<boolean> {
  const { rows } = await sql`
    select from documents
    where workspace_id = ${actor.workspaceId}::uuid and document_id = ${documentId}::uuid and ${isSucceeded(statuses)}
    limit 1`.execute(tx)
  return rows.length > 0
}

/** A renewal added before the expiry answers the reopened request: it was done by then, and took no documents. */
export async function linkRenewals(tx: Tx, actor: Actor, documentId: string): Promise<void> {
  await sql`
    update documents as newer set document_request_id = request.document_request_id
    from documents as old join document_requests as request on request.workspace_id = old.workspace_id
      and request.document_request_id = old.document_request_id
    where old.workspace_id = ${actor.workspaceId}::uuid and old.document_id = ${documentId}::uuid
      and request.state = 'open' and newer.workspace_id = old.workspace_id and newer.member_id = old.member_id
      and newer.file_category_id = old.file_category_id and newer.status = 'in_verification'
      and newer.document_request_id is null
      and (request.valid_document_id is null or newer.valid_document_id = request.valid_document_id)`.execute(tx)
}
