import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { recordKycDocumentEvent } from './history.ts'
import { notifyRequested } from './notifications.ts'
import { listCategories } from './queries.ts'
import { type HeldKycDocuments, holdKycDocuments, settleStatus } from './requirements.ts'

type Asked = { category: string; valid_document?: string | null | undefined; note: string }

/** Changes the requirements of one member with the member's row locked. */
function change(
  staff: Staff,
  memberId: string,
  work: (tx: Tx, held: HeldKycDocuments) => Promise<void>,
  settling: { isNotified?: boolean } = {},
): Promise<void> {
  authorizeStaff(staff, 'documents.decide')
  return inTransaction(staff, async (tx) => {
    const held = await holdKycDocuments(tx, staff, memberId)
    if (held.status === 'erased') refuse('illegal_move', deskTexts.memberErased)
    await work(tx, held)
    await settleStatus(tx, staff, await holdKycDocuments(tx, staff, memberId), settling)
  })
}

/** Requests one more KYC document from a member. Requesting the same one twice is a no-op. */
export function requestDocument(staff: Staff, memberId: string, asked: Asked): Promise<void> {
  const ask = async (tx: Tx, held: HeldKycDocuments): Promise<void> => {
    const set = { kyc_category_id: held.kyc_category_id, archived: false }
    const category = (await listCategories(tx, staff, set)).find(({ _id }) => _id === asked.category)
    if (!category) refuseFields({ category: [documentTexts.categoryUnknown] })
    const valid = category.valid_documents.find(({ _id }) => _id === asked.valid_document)
    if (asked.valid_document && !valid) refuseFields({ valid_document: [documentTexts.validUnknown] })
    const wanted = {
      workspace_id: staff.workspaceId,
      member_id: memberId,
      file_category_id: category._id,
      valid_document_id: valid?._id ?? null,
      note: asked.note,
    }
    if (await isAskedFor(tx, wanted)) return
    const id = newId()
    await tx
      .insertInto('document_requests')
      .values({
        ...wanted,
        document_request_id: id,
        state: 'open',
        requested_by: staff.staffId,
        requested_at: staff.context.clock.now(),
      })
      .execute()
    const name = valid?.name ?? category.name
    await recordKycDocumentEvent(tx, staff, {
      memberId,
      requestId: id,
      event: 'document.requested',
      note: [name, asked.note].filter(Boolean).join(': '),
    })
    await audit(tx, staff, {
      action: 'document.requested',
      subject: { kind: 'document_request', id },
      memberId,
      after: { document: name, note: asked.note },
    })
    await notifyRequested(tx, staff, { memberId, requestId: id, name, note: asked.note })
  }
  return change(staff, memberId, ask, { isNotified: true })
}

type Wanted = { workspace_id: string; member_id: string; file_category_id: string; valid_document_id: string | null }

async function isAskedFor(tx: Tx, { note, ...wanted }: Wanted & { note: string }): Promise<boolean> {
  const open = await tx
    .selectFrom('document_requests')
    .select('document_request_id')
    .where('workspace_id', '=', wanted.workspace_id)
    .where('member_id', '=', wanted.member_id)
    .where('file_category_id', '=', wanted.file_category_id)
    .where('valid_document_id', wanted.valid_document_id === null ? 'is' : '=', wanted.valid_document_id)
    .where('note', '=', note)
    .where('state', '=', 'open')
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

/** Returns the id of its member. */
export async function withdrawDocumentRequest(staff: Staff, id: string): Promise<string> {
  authorizeStaff(staff, 'documents.decide')
  const memberId = await inTransaction(staff, (tx) => ownerOf(tx, staff, id))
  await change(staff, memberId, async (tx) => {
    await refuseSelfDecision(tx, staff, memberId)
    const { numUpdatedRows } = await tx
      .updateTable('document_requests')
      .set({ state: 'withdrawn' })
      .where('workspace_id', '=', staff.workspaceId)
      .where('document_request_id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) refuse('illegal_move', deskTexts.requestOver)
    await recordKycDocumentEvent(tx, staff, { memberId, requestId: id, event: 'document.request-withdrawn' })
    await audit(tx, staff, {
      action: 'document.request-withdrawn',
      subject: { kind: 'document_request', id },
      memberId,
    })
  })
  return memberId
}

async function ownerOf(tx: Tx, staff: Staff, id: string): Promise<string> {
  const row = await tx
    .selectFrom('document_requests')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('document_request_id', '=', id)
    .executeTakeFirst()
  return row?.member_id ?? refuseNotFound()
}

/**
 * Moves a member to another set of categories; documents already added still count where they match. `seen`: the set on
 * the page of the decision, if it says so.
 */
export function setKycCategory(
  staff: Staff,
  memberId: string,
  kycCategoryId: string | null,
  seen?: string | null,
): Promise<void> {
  return change(staff, memberId, async (tx, held) => {
    await refuseSelfDecision(tx, staff, memberId)
    if (held.kyc_category_id === kycCategoryId) return
    if (seen !== undefined && seen !== held.kyc_category_id) refuse('conflict', deskTexts.memberChangedElsewhere)
    if (kycCategoryId !== null) await requireSet(tx, staff, kycCategoryId)
    await setOfMember(tx, staff, memberId, { kyc_category_id: kycCategoryId })
    await recordKycDocumentEvent(tx, staff, { memberId, event: 'member.kyc-category-changed' })
    await audit(tx, staff, {
      action: 'member.kyc-category-changed',
      subject: { kind: 'member', id: memberId },
      memberId,
      before: { kyc_category_id: held.kyc_category_id },
      after: { kyc_category_id: kycCategoryId },
    })
  })
}

async function requireSet(tx: Tx, staff: Staff, id: string): Promise<void> {
  const set = await tx
    .selectFrom('kyc_categories')
    .select('kyc_category_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('kyc_category_id', '=', id)
    .where('archived_at', 'is', null)
    // A concurrent archiving waits, and finds the member in the set.
    .forShare()
    .executeTakeFirst()
  if (!set) refuseFields({ kyc_category_id: [deskTexts.categoryUnknown] })
}

/** Whether the required KYC documents count as seen without copies here, as staff confirm with a reason. */
export function setKycDocumentsElsewhere(
  staff: Staff,
  memberId: string,
  { elsewhere, reason }: { elsewhere: boolean; reason: string },
): Promise<void> {
  return change(staff, memberId, async (tx, held) => {
    if (elsewhere) await refuseSelfDecision(tx, staff, memberId)
    if (held.papers_elsewhere === elsewhere) return
    await setOfMember(tx, staff, memberId, { papers_elsewhere: elsewhere })
    const event = elsewhere ? 'member.papers-seen-elsewhere' : 'member.papers-asked-for'
    await recordKycDocumentEvent(tx, staff, { memberId, event, note: reason })
    await audit(tx, staff, {
      action: event,
      subject: { kind: 'member', id: memberId },
      memberId,
      before: { papers_elsewhere: held.papers_elsewhere },
      after: { papers_elsewhere: elsewhere, reason },
    })
  })
}

async function setOfMember(
  tx: Tx,
  staff: Staff,
  memberId: string,
  values: { kyc_category_id?: string | null; papers_elsewhere?: boolean },
): Promise<void> {
  await tx
    .updateTable('members')
    .set(values)
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .execute()
}
