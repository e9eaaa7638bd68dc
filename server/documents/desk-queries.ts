import type { DeskDocument, MemberKycDocuments } from '@atrium/contract/documents/desk-calls.ts'
import { documentsList } from '@atrium/contract/documents/desk-list.ts'
import { type DocumentStatus, documentStatuses } from '@atrium/contract/documents/states.ts'
import type { Scan } from '@atrium/contract/files/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import { mediaUrl } from '../files/media.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { spreadsheetMoment } from '../foundation/csv.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { containsText } from '../foundation/database/like-pattern.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { type Condition, condition, defineList } from '../foundation/list.ts'
import { nameContains } from '../foundation/member-labels.ts'
import { listAllCategories } from './categories.ts'
import { selectDocuments } from './queries.ts'
import { readKycDocuments, readRequirements } from './requirements.ts'

const ofOwner = (more: Condition): Condition => condition`(
  select ${more} from members as owner
  where owner.workspace_id = documents.workspace_id and owner.member_id = documents.member_id)`

/** The desk's queue of KYC documents, with the count of each state. Excludes the documents of erased members. */
export const deskDocuments = defineList({
  list: documentsList,
  right: 'members.read',
  table: 'documents',
  id: 'documents.document_id',
  select,
  where: () => ofOwner(condition`owner.status <> 'erased'`),
  filters: {
    state: (state) => condition`documents.status = ${state}`,
    q: (q) =>
      condition`${containsText(sql`documents.title`, q)} or ${ofOwner(
        condition`owner.customer_number = ${q} or ${nameContains(sql`owner.sort_name`, q)}`,
      )}`,
  },
  sort: ({ order }) => ({
    column: 'documents.created_at',
    direction: order === 'newest' ? 'desc' : 'asc',
    at: (row) => row.created_at,
  }),
  shape,
  beside: async ({ tx, staff }) => ({ counts: await countByState(tx, staff) }),
  columns: [
    ['Uploaded (UTC)', (row) => spreadsheetMoment(row.created_at)],
    ['State', (row) => row.status],
    ['Category', (row) => row.category.name],
    ['Document', (row) => row.valid_document?.name ?? null],
    ['Title', (row) => row.title],
    ['Customer number', (row) => row.member.customer_number],
    ['Name', (row) => row.member.name],
    ['Valid until', (row) => row.expires_on],
    ['Decided (UTC)', (row) => spreadsheetMoment(row.decided_at)],
    ['Decided by', (row) => row.decided_by],
    ['Reason', (row) => row.reject_reason ?? row.unverify_reason],
  ],
})

export function readDeskDocumentOf(staff: Staff, id: string): Promise<DeskDocument> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await select(tx, staff).where('documents.document_id', '=', id).executeTakeFirst()
    return row ? shape(row) : refuseNotFound()
  })
}

function select(tx: Tx, staff: Staff) {
  return selectDocuments(tx, staff)
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'documents.workspace_id')
        .onRef('member.member_id', '=', 'documents.member_id'),
    )
    .innerJoin('file_categories as category', (join) =>
      join
        .onRef('category.workspace_id', '=', 'documents.workspace_id')
        .onRef('category.file_category_id', '=', 'documents.file_category_id'),
    )
    .leftJoin('valid_documents as valid', (join) =>
      join
        .onRef('valid.workspace_id', '=', 'documents.workspace_id')
        .onRef('valid.valid_document_id', '=', 'documents.valid_document_id'),
    )
    .leftJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'documents.workspace_id')
        .onRef('colleague.staff_id', '=', 'documents.decided_by'),
    )
    .select(['member.first_name', 'member.last_name', 'member.customer_number', 'category.name as category_name'])
    .select(['valid.name as valid_name', 'valid.expires as valid_expires', 'colleague.name as colleague_name'])
    .select('media.content_type')
    .select(sql<boolean>`media.scan = 'waiting' and ${staff.context.scanner === null}::boolean`.as('is_unscannable'))
}

type Selected = ReturnType<typeof select>
type Row = Awaited<ReturnType<Selected['execute']>>[number]

function shape(row: Row): DeskDocument {
  const valid = row.valid_document_id
    ? { _id: row.valid_document_id, name: row.valid_name ?? '', expires: row.valid_expires ?? false }
    : null
  return {
    _id: row.document_id,
    title: row.title,
    description: row.description,
    status: row.status as DocumentStatus,
    unverify_reason: row.unverify_reason,
    reject_reason: row.reject_reason,
    category: { _id: row.file_category_id, name: row.category_name },
    valid_document: valid,
    expires_on: row.expires_on,
    created_at: row.created_at.getTime(),
    decided_at: row.decided_at?.getTime() ?? null,
    decided_by: row.colleague_name,
    file: {
      name: row.name,
      type: row.content_type,
      extension: row.extension,
      size_bytes: Number(row.size_bytes),
      url: `/cp${mediaUrl(row)}`,
      scan: row.scan as Scan,
      is_unscannable: row.is_unscannable,
    },
    member: {
      _id: row.member_id,
      name: `${row.first_name} ${row.last_name}`,
      customer_number: row.customer_number,
    },
  }
}

async function countByState(tx: Tx, staff: Staff): Promise<Record<DocumentStatus, number>> {
  const counted = await tx
    .selectFrom('documents')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'documents.workspace_id')
        .onRef('member.member_id', '=', 'documents.member_id'),
    )
    .select(['documents.status', sql<number>`count(*)::int`.as('total')])
    .where('documents.workspace_id', '=', staff.workspaceId)
    .where('member.status', '<>', 'erased')
    .groupBy('documents.status')
    .execute()
  const totals = new Map(counted.map((row) => [row.status, row.total]))
  return Object.fromEntries(documentStatuses.map((status) => [status, totals.get(status) ?? 0])) as Record<
    DocumentStatus,
    number
  >
}

/** Everything about one member's KYC documents: requirements, documents and history. */
export function readMemberKycDocumentsOf(staff: Staff, memberId: string): Promise<MemberKycDocuments> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const held = await readKycDocuments(tx, staff, memberId)
    const person = await tx
      .selectFrom('members')
      .select(['first_name', 'last_name', 'customer_number'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow()
    const rows = await select(tx, staff)
      .where('documents.member_id', '=', memberId)
      .orderBy('documents.created_at', 'desc')
      .orderBy('documents.document_id', 'desc')
      .limit(limits.documentsMax)
      .execute()
    const { kyc_categories, categories } = await listAllCategories(tx, staff)
    return {
      member: {
        _id: memberId,
        name: `${person.first_name} ${person.last_name}`,
        customer_number: person.customer_number,
        documents_status: held.documents_status,
        status: held.status,
      },
      kyc_category_id: held.kyc_category_id,
      kyc_categories,
      papers_elsewhere: held.papers_elsewhere,
      needs: await readRequirements(tx, staff, held),
      documents: rows.map(shape),
      categories: categories.filter((each) => each.kyc_category_id === held.kyc_category_id && !each.archived),
      history: await readHistory(tx, staff, memberId),
    }
  })
}

async function readHistory(tx: Tx, staff: Staff, memberId: string): Promise<MemberKycDocuments['history']> {
  const rows = await tx
    .selectFrom('document_events as happened')
    .leftJoin('documents', (join) =>
      join
        .onRef('documents.workspace_id', '=', 'happened.workspace_id')
        .onRef('documents.document_id', '=', 'happened.document_id'),
    )
    .leftJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'happened.workspace_id')
        .onRef('colleague.staff_id', '=', 'happened.staff_id'),
    )
    .select(['happened.event_id', 'happened.at', 'happened.event', 'happened.actor_kind', 'happened.note'])
    .select(['documents.title', 'colleague.name as staff_name'])
    .where('happened.workspace_id', '=', staff.workspaceId)
    .where('happened.member_id', '=', memberId)
    .orderBy('happened.event_id', 'desc')
    .limit(limits.documentsMax)
    .execute()
  return rows.map((row) => ({
    _id: row.event_id,
    at: row.at.getTime(),
    event: row.event,
    by: row.actor_kind,
    staff_name: row.staff_name,
    document: row.title,
    note: row.note,
  }))
}
