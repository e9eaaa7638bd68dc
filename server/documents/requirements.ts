import type { DocumentNeed } from '@atrium/contract/documents/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { DocumentsStatus } from '@atrium/contract/members/states.ts'
import { sql } from 'kysely'
import type { Actor, Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { brokerageDay } from '../workspaces/today.ts'
import { findCheckState, withCheck } from './identity-status.ts'
import { notifyAllApproved, notifyApprovalEnded } from './notifications.ts'
import { memberStatusOf, requirementsOf } from './status.ts'

export type HeldKycDocuments = {
  member_id: string
  status: string
  documents_status: DocumentsStatus
  kyc_category_id: string | null
  papers_elsewhere: boolean
}

/**
 * Locks the member's row until the transaction ends, as every change of KYC status does, so that the second of two concurrent
 * verdicts sees the first.
 */
export async function holdKycDocuments(tx: Tx, actor: Actor, memberId: string): Promise<HeldKycDocuments> {
  const row = await selectKycDocuments(tx, actor, memberId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => refuseNotFound())
  return row as HeldKycDocuments
}

/** The KYC state of the member who asks, locked. */
export async function lockOwnMemberKycDocuments(tx: Tx, member: Member): Promise<HeldKycDocuments> {
  await lockOwnMember(tx, member)
  return readKycDocuments(tx, member, member.memberId)
}

function selectKycDocuments(tx: Tx, actor: Actor, memberId: string) {
  return tx
    .selectFrom('members')
    .select(['member_id', 'status', 'documents_status', 'kyc_category_id', 'papers_elsewhere'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
}

/** Without a lock, for display only. */
export async function readKycDocuments(tx: Tx, actor: Actor, memberId: string): Promise<HeldKycDocuments> {
  return (await selectKycDocuments(tx, actor, memberId).executeTakeFirstOrThrow(() =>
    refuseNotFound(),
  )) as HeldKycDocuments
}

/** All document requirements of this member, each with its status. */
export async function readRequirements(tx: Tx, actor: Actor, member: HeldKycDocuments): Promise<DocumentNeed[]> {
  const mine = { workspace_id: actor.workspaceId, member_id: member.member_id }
  const categories = await tx
    .selectFrom('file_categories')
    .select(['file_category_id', 'name', 'required', 'by_identity_check'])
    .where('workspace_id', '=', mine.workspace_id)
    .where('kyc_category_id', member.kyc_category_id === null ? 'is' : '=', member.kyc_category_id)
    .where('archived_at', 'is', null)
    .where('required', '=', true)
    .orderBy('position')
    .orderBy('file_category_id')
    .limit(limits.fileCategoriesMax)
    .execute()
  const requests = await tx
    .selectFrom('document_requests as request')
    .innerJoin('file_categories as category', (join) =>
      join
        .onRef('category.workspace_id', '=', 'request.workspace_id')
        .onRef('category.file_category_id', '=', 'request.file_category_id'),
    )
    .leftJoin('valid_documents as valid', (join) =>
      join
        .onRef('valid.workspace_id', '=', 'request.workspace_id')
        .onRef('valid.valid_document_id', '=', 'request.valid_document_id'),
    )
    .select(['request.document_request_id', 'request.file_category_id', 'request.valid_document_id'])
    .select(['request.note', 'request.state', sql<string>`coalesce(valid.name, category.name)`.as('name')])
    .where('request.workspace_id', '=', mine.workspace_id)
    .where('request.member_id', '=', mine.member_id)
    .where('request.state', '=', 'open')
    .orderBy('request.requested_at')
    .limit(limits.documentsMax)
    .execute()
  const documents = await tx
    .selectFrom('documents')
    .select(['file_category_id', 'document_request_id', 'status', 'expires_on'])
    .where('workspace_id', '=', mine.workspace_id)
    .where('member_id', '=', mine.member_id)
    .orderBy('created_at', 'desc')
    .orderBy('document_id', 'desc')
    .limit(limits.documentsMax)
    .execute()
  const byCheck = categories.filter((each) => each.by_identity_check).map((each) => each.file_category_id)
  const state = byCheck.length > 0 ? await findCheckState(tx, actor, member.member_id) : null
  const needs = requirementsOf({ categories, requests }, documents, await brokerageDay(tx, actor)).map((need) =>
    need.kind === 'category' && byCheck.includes(need._id) ? withCheck(need, state) : need,
  )
  // Documents verified outside the portal approve the general categories, but not what staff requested from this member.
  if (!member.papers_elsewhere) return needs
  return needs.map((need) => (need.kind === 'category' ? { ...need, standing: 'approved' as const } : need))
}

/** `isNotified`: the caller notifies of what ended an approval. `isForMany`: one of many members who are re-evaluated together. */
type Settling = { isNotified?: boolean; isForMany?: boolean }

/**
 * Stores the member's overall KYC status, as the only place that sets `documents_status`, and notifies the member of an
 * approval that began or ended. Called after every change of a document, of requirements or of the day, with the member's row locked.
 */
export async function settleStatus(
  tx: Tx,
  actor: Actor,
  member: HeldKycDocuments,
  settling: Settling = {},
): Promise<DocumentsStatus> {
  if (member.status === 'erased') return member.documents_status
  const needs = await readRequirements(tx, actor, member)
  const isKept = needs.length === 0 && (await wasApproved(tx, actor, member)) && !(await isTakenBack(tx, actor, member))
  const status = isKept ? 'approved' : memberStatusOf(needs, member.papers_elsewhere)
  // A member's own action approves nobody, which a trigger enforces; staff or a job store what is due.
  const isByMember = status === 'approved' && actor.kind === 'member'
  if (status === member.documents_status || isByMember) return member.documents_status
  await tx
    .updateTable('members')
    .set({ documents_status: status })
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', member.member_id)
    .execute()
  await audit(tx, actor, {
    action: 'member.documents-status-changed',
    subject: { kind: 'member', id: member.member_id },
    memberId: member.member_id,
    before: { documents_status: member.documents_status },
    after: { documents_status: status },
  })
  await notifyChange(tx, actor, { member, status, ...settling })
  return status
}

type Change = Settling & { member: HeldKycDocuments; status: DocumentsStatus }

async function notifyChange(
  tx: Tx,
  actor: Actor,
  { member, status, isNotified = false, isForMany = false }: Change,
): Promise<void> {
  const memberId = member.member_id
  if (status === 'approved') return notifyAllApproved(tx, actor, { memberId, isForMany })
  if (member.documents_status !== 'approved' || isNotified || actor.kind === 'member') return
  await notifyApprovalEnded(tx, actor, { memberId, isForMany, isInReview: status === 'in_verification' })
}

/** Also before a request or a requirement that has ended. */
async function wasApproved(tx: Tx, actor: Actor, member: HeldKycDocuments): Promise<boolean> {
  if (member.documents_status === 'approved') return true
  const found = await tx
    .selectFrom('audit_log')
    .select('audit_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', member.member_id)
    .where('action', '=', 'member.documents-status-changed')
    .where(sql<boolean>`before ->> 'documents_status' = 'approved'`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether the category was required when the entry was written: a later change says nothing about a document revoked before. */
const wasRequired = sql<boolean>`coalesce((
  select (changed.before ->> 'required')::boolean from audit_log as changed
  where changed.workspace_id = category.workspace_id and changed.subject_kind = 'file_category'
    and changed.subject_id = category.file_category_id and changed.action = 'file-category.changed'
    and changed.audit_id > entry.audit_id
  order by changed.audit_id limit 1), category.required)`

/**
 * Whether something that the approval rested on was taken back after it: staff's confirmation, the vendor's check, or a
 * document of a required category without another approved one there.
 */
async function isTakenBack(tx: Tx, actor: Actor, { member_id }: HeldKycDocuments): Promise<boolean> {
  const today = await brokerageDay(tx, actor)
  const { rows } = await sql`
    select from audit_log as entry
    left join documents as document on document.workspace_id = entry.workspace_id
      and document.document_id = entry.subject_id and entry.subject_kind = 'document'
    left join file_categories as category on category.workspace_id = document.workspace_id
      and category.file_category_id = document.file_category_id
    where entry.workspace_id = ${actor.workspaceId}::uuid and entry.member_id = ${member_id}::uuid
      and ((entry.action in ('document.expired', 'document.unverified') and ${wasRequired})
        or entry.action = 'member.papers-asked-for'
        or (entry.subject_kind = 'identity_check' and entry.before ->> 'state' = 'approved'))
      and not exists (select from audit_log as approval
        where approval.workspace_id = entry.workspace_id and approval.member_id = entry.member_id
          and approval.action = 'member.documents-status-changed'
          and approval.after ->> 'documents_status' = 'approved' and approval.audit_id > entry.audit_id)
      and not exists (select from documents as valid
        where valid.workspace_id = document.workspace_id and valid.member_id = document.member_id
          and valid.file_category_id = document.file_category_id and valid.status = 'approved'
          and (valid.expires_on is null or valid.expires_on >= ${today}))
    limit 1`.execute(tx)
  return rows.length > 0
}
