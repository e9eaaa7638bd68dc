import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

/** The usual categories. Every new brokerage starts with them and may change them; a migration added them to existing ones. */
const usual = [
  {
    name: 'Proof of identity',
    description:
      'A passport, an identity card or a driving licence. Both sides of a card, and all four corners in the picture.',
    required: true,
    validDocuments: [
      { name: 'Passport', expires: true },
      { name: 'Identity card', expires: true },
      { name: 'Driving licence', expires: true },
    ],
  },
  {
    name: 'Proof of address',
    description: 'Not older than three months, with your name and your address on it.',
    required: true,
    validDocuments: [
      { name: 'Utility bill', expires: false },
      { name: 'Bank statement', expires: false },
      { name: 'Tax letter', expires: false },
    ],
  },
  { name: 'Other documents', description: 'Other documents that we requested.', required: false, validDocuments: [] },
]

export async function addUsualCategories(tx: Tx, system: System): Promise<void> {
  const [workspace_id, created_at] = [system.workspaceId, system.context.clock.now()]
  const categories = usual.map((category, position) => ({ ...category, position, file_category_id: newId() }))
  await tx
    .insertInto('file_categories')
    .values(categories.map(({ validDocuments: _, ...row }) => ({ ...row, workspace_id, created_at })))
    .execute()
  const validDocuments = categories.flatMap(({ file_category_id, validDocuments }) =>
    validDocuments.map((validDocument, position) => ({
      ...validDocument,
      position,
      file_category_id,
      valid_document_id: newId(),
    })),
  )
  await tx
    .insertInto('valid_documents')
    .values(validDocuments.map((row) => ({ ...row, workspace_id, created_at })))
    .execute()
}
