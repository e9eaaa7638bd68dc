import type { AddDocumentsInput } from '@atrium/contract/documents/calls.ts'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import { lockOwnFiles, type OwnFile, validateUse } from '../files/own-files.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { memberDay } from '../workspaces/today.ts'
import { recordKycDocumentEvent } from './history.ts'
import { listCategories, listCategoriesByIds } from './queries.ts'
import { type HeldKycDocuments, lockOwnMemberKycDocuments, readRequirements, settleStatus } from './requirements.ts'

/**
 * Creates KYC documents in a category from files that the member uploaded before; repeating the same files is a no-op.
 * The customer in the request must be the signed-in member.
 */
export async function addDocuments(member: Member, sent: AddDocumentsInput): Promise<Added> {
  authorize(member, 'documents')
  return inTransaction(member, async (tx) => {
    const held = await lockOwnMemberKycDocuments(tx, member)
    const files = await lockOwnFiles(tx, member, sent.documents)
    const earlier = await findEarlier(tx, member, sent, files)
    if (earlier) return earlier
    const input = { ...sent, category: sent.category ?? (await usualCategory(tx, member, held, sent.request)) }
    await checkInput(tx, member, held, { ...input, isPlaced: sent.category !== undefined }, files)
    const documents = await insertDocuments(tx, member, input, files)
    await settleStatus(tx, member, held)
    return { documents, category: input.category }
  })
}

/** The KYC documents and their category, which the server chooses for a client that names none. */
export type Added = { documents: string[]; category: string }
type Placed = AddDocumentsInput & { category: string }

const isSubmitted: readonly string[] = ['in_verification', 'approved']

/** Without a category from the client, that of the staff's request, or the first one still missing; staff correct it. */
async function usualCategory(
  tx: Tx,
  member: Member,
  held: HeldKycDocuments,
  request: string | null | undefined,
): Promise<string> {
  const asked = request ? await findOpenRequest(tx, member, request) : undefined
  if (asked) return asked.file_category_id
  const needs = await readRequirements(tx, member, held)
  const missing = needs.find(({ kind, standing }) => kind === 'category' && !isSubmitted.includes(standing))
  const offered = await listCategories(tx, member, { kyc_category_id: held.kyc_category_id, archived: false })
  const category = missing?.category ?? offered[0]?._id
  return category ?? refuseFields({ category: [documentTexts.categoryUnknown] })
}

/** The KYC documents that an identical earlier request created, or null. */
async function findEarlier(tx: Tx, member: Member, input: AddDocumentsInput, files: OwnFile[]): Promise<Added | null> {
  if (files.length === 0) return null
  const rows = await tx
    .selectFrom('documents')
    .select(['document_id', 'file_category_id', 'valid_document_id', 'document_request_id', 'expires_on'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where(
      'media_id',
      'in',
      files.map((file) => file.id),
    )
    .orderBy('media_id')
    .execute()
  if (rows.length === 0) return null
  const isSame = rows.every(
    (row) =>
      (input.category === undefined || row.file_category_id === input.category) &&
      row.valid_document_id === (input.valid_document ?? null) &&
      row.document_request_id === (input.request ?? null) &&
      row.expires_on === (input.expires_on ?? null),
  )
  const [first] = rows
  if (first && isSame && rows.length === new Set(input.documents).size)
    return { documents: rows.map((row) => row.document_id), category: first.file_category_id }
  return refuseFields({ documents: [documentTexts.fileUnknown] })
}

/** Checks that need the database; reports all wrong fields together. */
async function checkInput(
  tx: Tx,
  member: Member,
  held: HeldKycDocuments,
  input: Placed & { isPlaced: boolean },
  files: OwnFile[],
): Promise<void> {
  const errors: FieldErrors = {}
  const addError = (field: string, sentence: string) => {
    errors[field] = [sentence]
  }
  if (input.customer && input.customer.toLowerCase() !== member.memberId)
    addError('customer', documentTexts.customerOther)
  const isGone = files.length !== new Set(input.documents).size || files.some(({ isFree }) => !isFree)
  const unfit = files.map((file) => validateUse(file, 'document')).find((sentence) => sentence !== null)
  if (isGone || unfit) addError('documents', unfit ?? documentTexts.fileUnknown)
  const asked = input.request ? await findOpenRequest(tx, member, input.request) : null
  if (input.request && !asked) addError('request', documentTexts.requestOver)
  // A document requested by staff may be of a category that the member does not see, or of an archived one.
  const offered = asked
    ? await listCategoriesByIds(tx, member, [asked.file_category_id])
    : await listCategories(tx, member, { kyc_category_id: held.kyc_category_id, archived: false })
  const category = offered.find(({ _id }) => _id === input.category)
  if (!category) addError('category', documentTexts.categoryUnknown)
  const valid = category?.valid_documents.find(({ _id }) => _id === input.valid_document)
  if (category && input.valid_document && !valid) addError('valid_document', documentTexts.validUnknown)
  if (category && input.isPlaced && !input.valid_document && category.valid_documents.length > 0)
    addError('valid_document', documentTexts.validMissing)
  if (valid?.expires && !input.expires_on) addError('expires_on', documentTexts.expiryMissing)
  if (input.expires_on && input.expires_on < (await memberDay(tx, member)))
    addError('expires_on', documentTexts.expired)
  if (Object.keys(errors).length > 0) refuseFields(errors)
  const { count } = await tx
    .selectFrom('documents')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  if (count + files.length > limits.documentsMax) refuse('conflict', documentTexts.tooMany)
}

export function findOpenRequest(tx: Tx, member: Member, id: string) {
  return tx
    .selectFrom('document_requests')
    .select(['document_request_id', 'file_category_id'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('document_request_id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
}

async function insertDocuments(tx: Tx, member: Member, input: Placed, files: OwnFile[]): Promise<string[]> {
  const place = { workspace_id: member.workspaceId, member_id: member.memberId }
  const rows = files.map(({ id, name }) => ({
    ...place,
    document_id: newId(),
    media_id: id,
    file_category_id: input.category,
    valid_document_id: input.valid_document ?? null,
    document_request_id: input.request ?? null,
    title: input.title || name,
    description: input.description || null,
    status: 'in_verification',
    expires_on: input.expires_on ?? null,
    created_at: member.context.clock.now(),
  }))
  await tx.insertInto('documents').values(rows).execute()
  for (const { document_id, title } of rows) {
    await recordKycDocumentEvent(tx, member, {
      memberId: member.memberId,
      documentId: document_id,
      event: 'document.added',
    })
    await audit(tx, member, {
      action: 'document.added',
      subject: { kind: 'document', id: document_id },
      after: { title, category: input.category, valid_document: input.valid_document ?? null },
    })
  }
  return rows.map((row) => row.document_id)
}
