import { addDocuments } from '../documents/add-documents.ts'
import type { System } from '../foundation/actor.ts'
import type { FileCategories } from '../foundation/database.generated.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { memberActor } from './harbour.ts'
import { addMedia } from './harbour-papers.ts'
import { type Made, nextCount } from './made.ts'

export async function addKycCategory(system: System, name = `Companies ${nextCount()}`): Promise<string> {
  const kyc_category_id = newId()
  const created_at = system.ground.clock.now()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('kyc_categories')
      .values({ workspace_id: system.workspaceId, kyc_category_id, name, position: 0, created_at })
      .execute(),
  )
  return kyc_category_id
}

type CategoryValues = Made<FileCategories> & { papers?: { name: string; expires: boolean }[] }
export type MadeCategory = { id: string; papers: string[] }

/** A required category of the general set with one valid document that does not expire. */
export async function addFileCategory(system: System, values: CategoryValues = {}): Promise<MadeCategory> {
  const { papers = [{ name: 'Utility bill', expires: false }], ...given } = values
  const [workspace_id, created_at, id] = [system.workspaceId, system.ground.clock.now(), newId()]
  const rows = papers.map((paper, position) => ({ ...paper, position, valid_document_id: newId() }))
  await inTransaction(system, async (tx) => {
    await tx
      .insertInto('file_categories')
      .values({
        name: `Proof ${nextCount()}`,
        required: true,
        position: nextCount(),
        created_at,
        ...given,
        workspace_id,
        file_category_id: id,
      })
      .execute()
    if (rows.length > 0)
      await tx
        .insertInto('valid_documents')
        .values(rows.map((row) => ({ ...row, workspace_id, created_at, file_category_id: id })))
        .execute()
  })
  return { id, papers: rows.map((row) => row.valid_document_id) }
}

export const paperMedia = { purpose: 'document', name: 'paper.pdf' }

type Given = { memberId: string; category: MadeCategory; expires_on?: string; request?: string; title?: string }

/** A paper as its member hands it in: in verification. */
export async function addDocument(system: System, { memberId, category, ...given }: Given): Promise<string> {
  const media = await addMedia(system, { memberId, ...paperMedia })
  const valid_document = category.papers[0]
  const [id] = await addDocuments(await memberActor(system, memberId), {
    documents: [media],
    category: category.id,
    valid_document,
    ...given,
  })
  return id ?? ''
}

/** A paper that staff asked for and that nobody has handed in yet. */
export async function addDocumentRequest(
  system: System,
  given: { memberId: string; category: MadeCategory },
): Promise<string> {
  const id = newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('document_requests')
      .values({
        workspace_id: system.workspaceId,
        document_request_id: id,
        member_id: given.memberId,
        file_category_id: given.category.id,
        note: 'For the tests',
        state: 'open',
        requested_at: system.ground.clock.now(),
      })
      .execute(),
  )
  return id
}
