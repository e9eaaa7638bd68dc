import { documentTexts } from '@atrium/contract/document-texts.ts'
import type { AddDocumentsInput } from '@atrium/contract/documents.ts'
import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { memberDay } from '../workspaces/today.ts'
import { recordPaperEvent } from './history.ts'
import { type HeldPapers, holdOwnPapers, settleStanding } from './needs.ts'
import { listCategories, listCategoriesByIds } from './queries.ts'

/**
 * Makes papers of files that the member uploaded before, as what they are of a category. The same files sent twice are the
 * same papers. What the client says about whose they are is held against who is signed in.
 */
export async function addDocuments(member: Member, input: AddDocumentsInput): Promise<string[]> {
  authorize(member, 'documents')
  return inTransaction(member, async (tx) => {
    const held = await holdOwnPapers(tx, member)
    const files = await lockOwnFiles(tx, member, input.documents)
    const earlier = await findEarlier(tx, member, input, files)
    if (earlier) return earlier
    await checkInput(tx, member, held, input, files)
    const added = await insertDocuments(tx, member, input, files)
    await settleStanding(tx, member, held)
    return added
  })
}

type OwnFile = { media_id: string; name: string }

/** Locked in one order, so that two calls that share some wait for each other rather than for ever. */
function lockOwnFiles(tx: Tx, member: Member, ids: readonly string[]): Promise<OwnFile[]> {
  return tx
    .selectFrom('media')
    .select(['media_id', 'name'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('media_id', 'in', [...new Set(ids)])
    .where('purpose', '=', 'document')
    .orderBy('media_id')
    .forUpdate()
    .execute()
}

/** The papers that the same request has made before; null when it is a new one. */
async function findEarlier(
  tx: Tx,
  member: Member,
  input: AddDocumentsInput,
  files: OwnFile[],
): Promise<string[] | null> {
  if (files.length === 0) return null
  const rows = await tx
    .selectFrom('documents')
    .select(['document_id', 'file_category_id', 'valid_document_id', 'document_request_id', 'expires_on'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where(
      'media_id',
      'in',
      files.map((file) => file.media_id),
    )
    .orderBy('media_id')
    .execute()
  if (rows.length === 0) return null
  const isSame = rows.every(
    (row) =>
      row.file_category_id === input.category &&
      row.valid_document_id === (input.valid_document ?? null) &&
      row.document_request_id === (input.request ?? null) &&
      row.expires_on === (input.expires_on ?? null),
  )
  if (isSame && rows.length === new Set(input.documents).size) return rows.map((row) => row.document_id)
  return refuseFields({ documents: [documentTexts.fileUnknown] })
}

/** Everything that only the database knows about the form; all wrong fields are answered at once. */
async function checkInput(
  tx: Tx,
  member: Member,
  held: HeldPapers,
  input: AddDocumentsInput,
  files: OwnFile[],
): Promise<void> {
  const errors: FieldErrors = {}
  const say = (field: string, sentence: string) => {
    errors[field] = [sentence]
  }
  if (input.customer && input.customer !== member.memberId) say('customer', documentTexts.customerOther)
  if (files.length !== new Set(input.documents).size) say('documents', documentTexts.fileUnknown)
  const asked = input.request ? await findOpenRequest(tx, member, input.request) : null
  if (input.request && !asked) say('request', documentTexts.requestOver)
  // A paper that staff asked for may be of a category that is nobody else's business, or of an archived one.
  const offered = asked
    ? await listCategoriesByIds(tx, member, [asked.file_category_id])
    : await listCategories(tx, member, { kyc_category_id: held.kyc_category_id, archived: false })
  const category = offered.find(({ _id }) => _id === input.category)
  if (!category) say('category', documentTexts.categoryUnknown)
  const valid = category?.valid_documents.find(({ _id }) => _id === input.valid_document)
  if (category && input.valid_document && !valid) say('valid_document', documentTexts.validUnknown)
  if (category && !input.valid_document && category.valid_documents.length > 0)
    say('valid_document', documentTexts.validMissing)
  if (valid?.expires && !input.expires_on) say('expires_on', documentTexts.expiryMissing)
  if (input.expires_on && input.expires_on < (await memberDay(tx, member))) say('expires_on', documentTexts.expired)
  if (Object.keys(errors).length > 0) refuseFields(errors)
  const { count } = await tx
    .selectFrom('documents')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  if (count + files.length > limits.documentsMax) refuse('conflict', documentTexts.tooMany)
}

function findOpenRequest(tx: Tx, member: Member, id: string) {
  return tx
    .selectFrom('document_requests')
    .select(['document_request_id', 'file_category_id'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('document_request_id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
}

async function insertDocuments(tx: Tx, member: Member, input: AddDocumentsInput, files: OwnFile[]): Promise<string[]> {
  const place = { workspace_id: member.workspaceId, member_id: member.memberId }
  const rows = files.map(({ media_id, name }) => ({
    ...place,
    document_id: newId(),
    media_id,
    file_category_id: input.category,
    valid_document_id: input.valid_document ?? null,
    document_request_id: input.request ?? null,
    title: input.title || name,
    description: input.description || null,
    status: 'in_verification',
    expires_on: input.expires_on ?? null,
    created_at: member.ground.clock.now(),
  }))
  await tx.insertInto('documents').values(rows).execute()
  for (const { document_id, title } of rows) {
    await recordPaperEvent(tx, member, { memberId: member.memberId, documentId: document_id, event: 'document.added' })
    await audit(tx, member, {
      action: 'document.added',
      subject: { kind: 'document', id: document_id },
      after: { title, category: input.category, valid_document: input.valid_document ?? null },
    })
  }
  return rows.map((row) => row.document_id)
}
