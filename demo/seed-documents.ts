import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addUsualCategories } from '../server/documents/usual-categories.ts'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { makeReceipt, makeScan } from './receipt.ts'

type KycDocument = {
  category: 'Proof of identity' | 'Proof of address' | 'Other documents'
  kind: string | null
  name: string
  status: 'approved' | 'rejected' | 'pending' | 'in_verification'
  daysAgo: number
  validForDays?: number
  reason?: string
}

/** One KYC document of every status, with a passport that expires soon. */
const ofMember: KycDocument[] = [
  {
    ...{ category: 'Proof of identity', kind: 'Passport', name: 'Passport.pdf', status: 'approved' },
    ...{ daysAgo: 240, validForDays: 18 },
  },
  {
    ...{ category: 'Proof of identity', kind: 'Identity card', name: 'Identity card.pdf', status: 'pending' },
    ...{ daysAgo: 241, validForDays: -30, reason: 'The document has expired. Please add a valid one.' },
  },
  { category: 'Proof of address', kind: 'Utility bill', name: 'Water bill.pdf', status: 'approved', daysAgo: 239 },
  {
    ...{ category: 'Proof of address', kind: 'Bank statement', name: 'Statement of March.pdf', status: 'rejected' },
    ...{ daysAgo: 241, reason: 'The document is older than three months.' },
  },
  { category: 'Other documents', kind: null, name: 'Payslip.pdf', status: 'in_verification', daysAgo: 1 },
]
const ofSecond: KycDocument[] = [
  {
    ...{ category: 'Proof of identity', kind: 'Identity card', name: 'Card.pdf', status: 'approved' },
    ...{ daysAgo: 200, validForDays: 900 },
  },
  { category: 'Proof of address', kind: 'Tax letter', name: 'Tax letter.pdf', status: 'approved', daysAgo: 200 },
]
/** Identity approved, address still under review. */
const ofVerifying: KycDocument[] = [
  {
    ...{ category: 'Proof of identity', kind: 'Passport', name: 'Passport.jpg', status: 'approved' },
    ...{ daysAgo: 8, validForDays: 2_100 },
  },
  {
    ...{ category: 'Proof of address', kind: 'Utility bill', name: 'Phone bill.pdf', status: 'rejected' },
    ...{ daysAgo: 8, reason: 'The document is older than three months.' },
  },
  {
    category: 'Proof of address',
    kind: 'Bank statement',
    name: 'Statement.pdf',
    status: 'in_verification',
    daysAgo: 1,
  },
]
const inVerification: KycDocument[] = [
  {
    ...{ category: 'Proof of identity', kind: 'Passport', name: 'Passport.jpg', status: 'in_verification' },
    ...{ daysAgo: 3, validForDays: 1_200 },
  },
  {
    category: 'Proof of address',
    kind: 'Bank statement',
    name: 'Statement.pdf',
    status: 'in_verification',
    daysAgo: 2,
  },
]
const turnedDown: KycDocument[] = [
  {
    ...{ category: 'Proof of identity', kind: 'Passport', name: 'Passport.pdf', status: 'rejected' },
    ...{ daysAgo: 9, validForDays: 1_200 },
    reason: 'Part of the document is cut off. Please show all four corners.',
  },
]

const dayMs = 86_400_000
/** Enough files for the members whose KYC documents are here; the others were verified before the portal. */
const filesMax = 80

/** What the document shows, as a picture or scanned into a PDF. */
type Shows = 'passport' | 'scan' | 'letter'
export type DemoFile = { media_id: string; storage_key: string; content: Buffer; shows: Shows }

const letter = [
  'SPECIMEN',
  'Office of Examples, 1 Example Street, Example City',
  '',
  'To: Anna Example, 12 Sample Road, Example City',
  'Number X0000000, of the first of the month',
  '',
  'This page stands in for a letter in the demo. It says nothing about anybody.',
]

/** Runs before the transaction that inserts the rows. */
export async function writeDocumentFiles(system: System): Promise<DemoFile[]> {
  const passport = readFileSync(join(import.meta.dirname, 'documents', 'passport.jpg'))
  const contents: Record<Shows, Buffer> = {
    passport,
    scan: makeScan(passport, { width: 860, height: 560 }),
    letter: makeReceipt(letter),
  }
  const files = Array.from({ length: filesMax }, (_, index): DemoFile => {
    const shows = (['passport', 'scan', 'letter', 'letter'] as const)[index % 4] ?? 'letter'
    const media_id = newId()
    return { media_id, storage_key: `${system.workspaceId}/${media_id}`, content: contents[shows], shows }
  })
  for (const { storage_key, content } of files) await system.context.files.write(storage_key, content)
  return files
}

type Given = { member: string; second: string; verifying: string; staff: string; files: DemoFile[]; now: number }

/** Categories, and KYC documents of every status: the members' own, and those of others in the desk's queue. */
export async function addDocuments(
  tx: Tx,
  system: System,
  { member, second, verifying, staff, files, now }: Given,
): Promise<void> {
  await addUsualCategories(tx, system)
  const left = Map.groupBy(files, ({ shows }) => shows)
  const kinds = await readKinds(tx, system)
  const add = async (memberId: string, documents: KycDocument[]) => {
    for (const document of documents) {
      const file = left.get(shownBy(document))?.pop()
      if (file) await addKycDocument(tx, system, { memberId, document, file, staff, now, kinds })
    }
  }
  await add(member, ofMember)
  await add(second, ofSecond)
  await add(verifying, ofVerifying)
  const others = await tx
    .selectFrom('members')
    .select(['member_id', 'documents_status'])
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', 'not in', [member, second, verifying])
    .orderBy('customer_number')
    .execute()
  for (const { member_id, documents_status } of others) {
    if (documents_status === 'in_verification') await add(member_id, inVerification)
    if (documents_status === 'rejected') await add(member_id, turnedDown)
  }
  await tx
    .updateTable('members')
    .set({ papers_elsewhere: true })
    .where('workspace_id', '=', system.workspaceId)
    .where('documents_status', '=', 'approved')
    .where('member_id', 'not in', [member, second])
    .execute()
}

/** Reads the document requirements once. */
async function readKinds(tx: Tx, { workspaceId }: System) {
  const categories = await tx
    .selectFrom('file_categories')
    .select(['file_category_id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  const documents = await tx
    .selectFrom('valid_documents')
    .select(['valid_document_id', 'file_category_id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  return { categories, documents }
}

const pdfType = { kind: 'file', extension: 'pdf', content_type: 'application/pdf' }
const pictureType = { kind: 'image', extension: 'jpg', content_type: 'image/jpeg' }

function shownBy({ name, category }: KycDocument): Shows {
  if (name.endsWith('.jpg')) return 'passport'
  return category === 'Proof of identity' ? 'scan' : 'letter'
}

type Added = {
  memberId: string
  document: KycDocument
  file: DemoFile
  staff: string
  now: number
  kinds: Awaited<ReturnType<typeof readKinds>>
}

async function addKycDocument(
  tx: Tx,
  system: System,
  { memberId, document, file, staff, now, kinds }: Added,
): Promise<void> {
  const { workspaceId: workspace_id } = system
  const created_at = new Date(now - document.daysAgo * dayMs)
  const category = kinds.categories.find(({ name }) => name === document.category)
  if (!category) throw new Error(`The demo has no category ${document.category}`)
  const valid = kinds.documents.find(
    ({ name, file_category_id }) => name === document.kind && file_category_id === category.file_category_id,
  )
  const { media_id, storage_key, content, shows } = file
  const type = shows === 'passport' ? pictureType : pdfType
  await tx
    .insertInto('media')
    .values({
      ...{ workspace_id, media_id, member_id: memberId, storage_key, created_at, name: document.name },
      ...{ purpose: 'document', ...type },
      size_bytes: content.length,
      sha256: createHash('sha256').update(content).digest(),
    })
    .execute()
  const document_id = newId()
  const expires_on =
    document.validForDays === undefined
      ? null
      : new Date(now + document.validForDays * dayMs).toISOString().slice(0, 10)
  await tx
    .insertInto('documents')
    .values({
      ...{ workspace_id, document_id, member_id: memberId, media_id, title: document.name, created_at, expires_on },
      file_category_id: category.file_category_id,
      valid_document_id: valid?.valid_document_id ?? null,
      status: 'in_verification',
    })
    .execute()
  await addEvent(tx, system, { memberId, document_id, at: created_at, event: 'document.added', staff: null })
  if (document.status === 'in_verification') return
  await decide(tx, system, { memberId, document_id, document, staff, at: new Date(created_at.getTime() + dayMs / 2) })
}

type Decided = { memberId: string; document_id: string; document: KycDocument; staff: string; at: Date }

/** Uses the transitions that the database allows: a document passes through approval first. */
async function decide(tx: Tx, system: System, { memberId, document_id, document, staff, at }: Decided): Promise<void> {
  const { status, reason } = document
  const set = (values: object) =>
    tx
      .updateTable('documents')
      .set({ decided_by: staff, decided_at: at, ...values })
      .where('workspace_id', '=', system.workspaceId)
      .where('document_id', '=', document_id)
      .execute()
  const record = (event: string, note?: string) =>
    addEvent(tx, system, { memberId, document_id, at, event, staff, note })
  if (status === 'rejected') {
    await set({ status, reject_reason: reason })
    return record('document.rejected', reason)
  }
  await set({ status: 'approved' })
  await record('document.approved')
  if (status !== 'pending') return
  await set({ status, unverify_reason: reason })
  await record('document.unverified', reason)
}

type Event = {
  memberId: string
  document_id: string
  at: Date
  event: string
  staff: string | null
  note?: string | undefined
}

async function addEvent(
  tx: Tx,
  system: System,
  { memberId, document_id, at, event, staff, note }: Event,
): Promise<void> {
  await tx
    .insertInto('document_events')
    .values({
      ...{ workspace_id: system.workspaceId, event_id: newId(), member_id: memberId, document_id, at, event },
      actor_kind: staff ? 'staff' : 'member',
      staff_id: staff,
      note: note ?? null,
    })
    .execute()
}
