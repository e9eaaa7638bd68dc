import type { FileCategory } from '@atrium/contract/documents/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Actor, Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { Page } from '../foundation/database/paging.ts'

/** More than a set may hold; the limit only bounds one answer. */
const rowsMax = 2_000

type SetOf = { kyc_category_id: string | null; archived: boolean }

/** The categories of a set with their valid documents; null is the general set. */
export function listCategories(tx: Tx, actor: Actor, set: SetOf): Promise<FileCategory[]> {
  return selectCategories(tx, actor)
    .where('kyc_category_id', set.kyc_category_id === null ? 'is' : '=', set.kyc_category_id)
    .$if(!set.archived, (query) => query.where('archived_at', 'is', null))
    .execute()
}

/** Categories by id, including archived ones. */
export async function listCategoriesByIds(tx: Tx, actor: Actor, ids: readonly string[]): Promise<FileCategory[]> {
  if (ids.length === 0) return []
  return selectCategories(tx, actor, { archived: true })
    .where('file_category_id', 'in', [...ids])
    .execute()
}

function selectCategories(tx: Tx, actor: Actor, { archived = false } = {}) {
  return tx
    .selectFrom('file_categories')
    .select(['file_category_id as _id', 'name', 'description', 'required'])
    .select((category) =>
      jsonArrayFrom(
        category
          .selectFrom('valid_documents')
          .select(['valid_document_id as _id', 'valid_documents.name', 'expires'])
          .whereRef('valid_documents.workspace_id', '=', 'file_categories.workspace_id')
          .whereRef('valid_documents.file_category_id', '=', 'file_categories.file_category_id')
          .$if(!archived, (query) => query.where('valid_documents.archived_at', 'is', null))
          .orderBy('position')
          .orderBy('valid_document_id')
          .limit(rowsMax),
      ).as('valid_documents'),
    )
    .where('workspace_id', '=', actor.workspaceId)
    .orderBy('position')
    .orderBy('file_category_id')
    .limit(rowsMax)
}

export type DocumentShape = Awaited<ReturnType<typeof listDocuments>>[number]

/** The columns of a document for its member and for staff. */
export function selectDocuments(tx: Tx, actor: Actor) {
  return tx
    .selectFrom('documents')
    .innerJoin('media', (join) =>
      join
        .onRef('media.workspace_id', '=', 'documents.workspace_id')
        .onRef('media.media_id', '=', 'documents.media_id'),
    )
    .where('documents.workspace_id', '=', actor.workspaceId)
    .select([
      'documents.document_id',
      'documents.member_id',
      'documents.file_category_id',
      'documents.valid_document_id',
    ])
    .select(['documents.document_request_id', 'documents.title', 'documents.description', 'documents.status'])
    .select(['documents.unverify_reason', 'documents.reject_reason', 'documents.expires_on', 'documents.created_at'])
    .select(['documents.decided_at', 'documents.decided_by'])
    .select(['media.media_id', 'media.name', 'media.kind', 'media.extension', 'media.size_bytes'])
    .select('media.scan')
}

export type DocumentFilter = { category?: string | null | undefined; status?: string | null | undefined }

/** The member's own, newest first. */
export function listDocuments(tx: Tx, member: Member, filter: DocumentFilter, page: Page) {
  return filtered(selectDocuments(tx, member), member, filter)
    .orderBy('documents.created_at', 'desc')
    .orderBy('documents.document_id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export async function countDocuments(tx: Tx, member: Member, filter: DocumentFilter): Promise<number> {
  const { total } = await tx
    .selectFrom(filtered(selectDocuments(tx, member), member, filter).limit(limits.documentsMax).as('counted'))
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

function filtered(query: ReturnType<typeof selectDocuments>, member: Member, { category, status }: DocumentFilter) {
  return query
    .where('documents.member_id', '=', member.memberId)
    .$if(category !== undefined && category !== null, (rows) =>
      rows.where(sql<boolean>`documents.file_category_id::text = ${category ?? ''}`),
    )
    .$if(status !== undefined && status !== null, (rows) => rows.where('documents.status', '=', status ?? ''))
}
