import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import type {
  addFileCategory as addCall,
  changeFileCategory as changeCall,
  changeKycCategory as changeSetCall,
  DeskCategory,
  listDeskCategories,
  orderFileCategories as orderCall,
} from '@atrium/contract/documents/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseStale, refuseUnseen, revisionOf } from '../foundation/revision.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { lockWorkspace } from '../workspaces/choices.ts'

export type AllCategories = Omit<CallAnswer<typeof listDeskCategories>, 'status'>
type Fields = Omit<z.output<(typeof changeCall)['input']>, 'id' | 'seen'>
type Change = z.output<(typeof changeCall)['input']>
type Added = z.output<(typeof addCall)['input']>

/** There is a handful of each; the limit only bounds one answer. */
const rowsMax = 5_000

export function listDeskCategoriesOf(staff: Staff): Promise<AllCategories> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, (tx) => listAllCategories(tx, staff))
}

/** Every set, every category and every valid document, including archived ones. */
export async function listAllCategories(tx: Tx, staff: Staff): Promise<AllCategories> {
  const sets = await tx
    .selectFrom('kyc_categories')
    .select(['kyc_category_id', 'name', 'archived_at'])
    .where('workspace_id', '=', staff.workspaceId)
    .orderBy('position')
    .orderBy('kyc_category_id')
    .limit(rowsMax)
    .execute()
  const categories = await tx
    .selectFrom('file_categories')
    .select(['file_category_id', 'kyc_category_id', 'name', 'description', 'required', 'by_identity_check'])
    .select('archived_at')
    .where('workspace_id', '=', staff.workspaceId)
    .orderBy('position')
    .orderBy('file_category_id')
    .limit(rowsMax)
    .execute()
  const validDocuments = await tx
    .selectFrom('valid_documents')
    .select(['valid_document_id', 'file_category_id', 'name', 'expires', 'archived_at'])
    .where('workspace_id', '=', staff.workspaceId)
    .orderBy('position')
    .orderBy('valid_document_id')
    .limit(rowsMax)
    .execute()
  const byCategory = Map.groupBy(validDocuments, (validDocument) => validDocument.file_category_id)
  return {
    kyc_categories: sets
      .map((set) => ({ _id: set.kyc_category_id, name: set.name, archived: set.archived_at !== null }))
      .map((set) => ({ ...set, revision: revisionOf(valuesOf(set)) })),
    categories: categories
      .map(({ file_category_id: _id, archived_at, ...row }) => ({
        ...row,
        _id,
        archived: archived_at !== null,
        valid_documents: (byCategory.get(_id) ?? []).map((validDocument) => ({
          _id: validDocument.valid_document_id,
          name: validDocument.name,
          expires: validDocument.expires,
          archived: validDocument.archived_at !== null,
        })),
      }))
      .map((category) => ({ ...category, revision: revisionOf(shown(category)) })),
  }
}

/**
 * Makes one change to the document requirements. Serializes concurrent changes; each starts a job that re-evaluates the KYC
 * documents of every member, since the approval of thousands may have changed.
 */
function change(staff: Staff, work: (tx: Tx, known: AllCategories) => Promise<boolean>): Promise<AllCategories> {
  authorizeStaff(staff, 'workspace.manage')
  return inTransaction(staff, async (tx) => {
    await lockWorkspace(tx, staff)
    // Required categories decide whose identity is approved, so an unattended session must not change them.
    await requireProof(tx, staff)
    const hasChanged = await work(tx, await listAllCategories(tx, staff))
    const { workspaceId } = staff
    if (hasChanged) await staff.context.jobs.enqueue(tx, 'documents.settle-standings', { workspaceId, id: workspaceId })
    return listAllCategories(tx, staff)
  })
}

export function addFileCategory(staff: Staff, { kyc_category_id, ...fields }: Added): Promise<AllCategories> {
  return change(staff, async (tx, known) => {
    if (kyc_category_id !== null && !known.kyc_categories.some(({ _id }) => _id === kyc_category_id))
      refuseFields({ kyc_category_id: [deskTexts.categoryUnknown] })
    const ofSet = known.categories.filter((each) => each.kyc_category_id === kyc_category_id && !each.archived)
    // A repeated form adds nothing.
    if (ofSet.some((each) => isSame(each, fields))) return false
    refuseTaken(ofSet, fields)
    refuseTooMany(ofSet)
    const id = newId()
    await tx
      .insertInto('file_categories')
      .values({
        workspace_id: staff.workspaceId,
        file_category_id: id,
        kyc_category_id,
        name: fields.name,
        description: fields.description,
        required: fields.required,
        by_identity_check: fields.by_identity_check,
        position: await nextPosition(tx, staff),
        created_at: staff.context.clock.now(),
      })
      .execute()
    await keepValidDocuments(tx, staff, { id, known: [], wanted: fields.valid_documents })
    await audit(tx, staff, {
      action: 'file-category.added',
      subject: { kind: 'file_category', id },
      after: { kyc_category_id, ...fields },
    })
    return true
  })
}

/** The last position, across all sets. */
async function nextPosition(tx: Tx, staff: Staff): Promise<number> {
  const { next } = await tx
    .selectFrom('file_categories')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .where('workspace_id', '=', staff.workspaceId)
    .executeTakeFirstOrThrow()
  return next
}

export function changeFileCategory(staff: Staff, { id, seen, ...fields }: Change): Promise<AllCategories> {
  return change(staff, async (tx, known) => {
    const before = known.categories.find(({ _id }) => _id === id)
    if (!before) refuseNotFound()
    if (isSame(before, fields)) return false
    // A document that a colleague has added since would be archived, for it is not among these.
    refuseStale(seen, shown(before))
    const ofSet = known.categories.filter(
      (each) => each.kyc_category_id === before.kyc_category_id && each._id !== id && !each.archived,
    )
    refuseTaken(ofSet, fields)
    const { name, description, required, by_identity_check } = fields
    await setCategory(tx, staff, id, { name, description, required, by_identity_check })
    await keepValidDocuments(tx, staff, { id, known: before.valid_documents, wanted: fields.valid_documents })
    await audit(tx, staff, {
      action: 'file-category.changed',
      subject: { kind: 'file_category', id },
      before: shown(before),
      after: { ...fields },
    })
    return true
  })
}

/** Stops requiring it; its KYC documents remain. */
export function archiveFileCategory(staff: Staff, id: string, archived: boolean): Promise<AllCategories> {
  return change(staff, async (tx, known) => {
    const before = known.categories.find(({ _id }) => _id === id)
    if (!before) refuseNotFound()
    if (before.archived === archived) return false
    const ofSet = known.categories.filter(
      (each) => each.kyc_category_id === before.kyc_category_id && each._id !== id && !each.archived,
    )
    if (!archived) refuseTaken(ofSet, { ...before, valid_documents: [] })
    if (!archived) refuseTooMany(ofSet)
    await setCategory(tx, staff, id, { archived_at: archived ? staff.context.clock.now() : null })
    const action = archived ? 'file-category.archived' : 'file-category.restored'
    await audit(tx, staff, { action, subject: { kind: 'file_category', id }, after: { name: before.name } })
    return true
  })
}

export function orderFileCategories(
  staff: Staff,
  { kyc_category_id: set, ids, seen }: CallInput<typeof orderCall>,
): Promise<AllCategories> {
  return change(staff, async (tx, known) => {
    const ofSet = known.categories.filter((each) => each.kyc_category_id === set && !each.archived)
    const before = ofSet.map(({ _id }) => _id)
    if (before.join() === ids.join()) return false
    refuseUnseen(seen, before)
    if ([...before].sort().join() !== [...ids].sort().join()) refuse('conflict', deskTexts.categoriesChanged)
    for (const [position, id] of ids.entries()) await setCategory(tx, staff, id, { position })
    await audit(tx, staff, {
      action: 'file-categories.ordered',
      subject: { kind: 'workspace', id: staff.workspaceId },
      before: { ids: before },
      after: { ids },
    })
    return true
  })
}

export function addKycCategory(staff: Staff, name: string): Promise<AllCategories> {
  return change(staff, async (tx, known) => {
    if (known.kyc_categories.some((each) => each.name === name && !each.archived)) return false
    if (known.kyc_categories.length >= limits.fileCategoriesMax)
      refuse('conflict', deskTexts.categoriesTooMany.replace('{{count}}', String(limits.fileCategoriesMax)))
    const id = newId()
    await tx
      .insertInto('kyc_categories')
      .values({
        workspace_id: staff.workspaceId,
        kyc_category_id: id,
        name,
        position: known.kyc_categories.length,
        created_at: staff.context.clock.now(),
      })
      .execute()
    await audit(tx, staff, { action: 'kyc-category.added', subject: { kind: 'kyc_category', id }, after: { name } })
    return false
  })
}

const valuesOf = ({ name, archived }: { name: string; archived: boolean }) => ({ name, archived })

type SetChange = Omit<z.output<(typeof changeSetCall)['input']>, 'id'>

export function changeKycCategory(
  staff: Staff,
  id: string,
  { name, archived, seen }: SetChange,
): Promise<AllCategories> {
  return change(staff, async (tx, known) => {
    const before = known.kyc_categories.find(({ _id }) => _id === id)
    if (!before) refuseNotFound()
    if (before.name === name && before.archived === archived) return false
    refuseStale(seen, valuesOf(before))
    if (known.kyc_categories.some((each) => each._id !== id && each.name === name && !each.archived))
      refuseFields({ name: [deskTexts.setNameTaken] })
    if (archived && (await hasMembers(tx, staff, id))) refuse('conflict', deskTexts.setInUse)
    await tx
      .updateTable('kyc_categories')
      .set({ name, archived_at: archived ? staff.context.clock.now() : null })
      .where('workspace_id', '=', staff.workspaceId)
      .where('kyc_category_id', '=', id)
      .execute()
    await audit(tx, staff, {
      action: 'kyc-category.changed',
      subject: { kind: 'kyc_category', id },
      before: valuesOf(before),
      after: { name, archived },
    })
    return false
  })
}

async function hasMembers(tx: Tx, staff: Staff, id: string): Promise<boolean> {
  // Waits for a concurrent move of a member into the set, which locks the row.
  await tx
    .selectFrom('kyc_categories')
    .select('kyc_category_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('kyc_category_id', '=', id)
    .forUpdate()
    .execute()
  const member = await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('kyc_category_id', '=', id)
    .where('status', '<>', 'erased')
    .limit(1)
    .executeTakeFirst()
  return member !== undefined
}

type KycDocument = Fields['valid_documents'][number]

const offered = ({ valid_documents }: DeskCategory) => valid_documents.filter(({ archived }) => !archived)

const shown = (category: DeskCategory) => ({
  name: category.name,
  description: category.description,
  required: category.required,
  by_identity_check: category.by_identity_check,
  valid_documents: offered(category).map(({ _id, name, expires }) => ({ _id, name, expires })),
})

/** Ignores ids: a form that adds has none yet. */
function isSame(category: DeskCategory, fields: Fields): boolean {
  const plain = (validDocuments: readonly KycDocument[]) =>
    validDocuments.map(({ name, expires }) => ({ name, expires }))
  const { valid_documents, ...rest } = shown(category)
  const { name, description, required, by_identity_check } = fields
  const wanted = { name, description, required, by_identity_check }
  return JSON.stringify([rest, plain(valid_documents)]) === JSON.stringify([wanted, plain(fields.valid_documents)])
}

/** A requirement beyond the limit would not be read (requirements.ts). */
function refuseTooMany(ofSet: readonly DeskCategory[]): void {
  if (ofSet.length >= limits.fileCategoriesMax)
    refuse('conflict', deskTexts.categoriesTooMany.replace('{{count}}', String(limits.fileCategoriesMax)))
}

function refuseTaken(
  others: readonly DeskCategory[],
  { name, valid_documents }: Pick<Fields, 'name' | 'valid_documents'>,
) {
  if (others.some((each) => each.name === name)) refuseFields({ name: [deskTexts.categoryNameTaken] })
  const names = valid_documents.map((validDocument) => validDocument.name)
  if (new Set(names).size < names.length) refuseFields({ valid_documents: [deskTexts.validDocumentTwice] })
}

type CategoryValues = {
  name?: string
  description?: string
  required?: boolean
  by_identity_check?: boolean
  position?: number
  archived_at?: Date | null
}

async function setCategory(tx: Tx, staff: Staff, id: string, values: CategoryValues): Promise<void> {
  await tx
    .updateTable('file_categories')
    .set(values)
    .where('workspace_id', '=', staff.workspaceId)
    .where('file_category_id', '=', id)
    .execute()
}

type ValidDocumentsChange = { id: string; known: DeskCategory['valid_documents']; wanted: readonly KycDocument[] }

/** Updates by id: one without an id is new, and one left out is archived, since KYC documents refer to it. */
async function keepValidDocuments(tx: Tx, staff: Staff, { id, known, wanted }: ValidDocumentsChange): Promise<void> {
  const now = staff.context.clock.now()
  const set = (
    validDocument: string,
    values: { name?: string; expires?: boolean; position?: number; archived_at?: Date | null },
  ) =>
    tx
      .updateTable('valid_documents')
      .set(values)
      .where('workspace_id', '=', staff.workspaceId)
      .where('file_category_id', '=', id)
      .where('valid_document_id', '=', validDocument)
      .execute()
  for (const [position, { _id, name, expires }] of wanted.entries()) {
    const isKnown = known.some((each) => each._id === _id)
    if (_id && !isKnown) refuseFields({ valid_documents: [deskTexts.entryUnknown] })
    if (_id) await set(_id, { name, expires, position, archived_at: null })
    else
      await tx
        .insertInto('valid_documents')
        .values({
          workspace_id: staff.workspaceId,
          valid_document_id: newId(),
          file_category_id: id,
          name,
          expires,
          position,
          created_at: now,
        })
        .execute()
  }
  const gone = known.filter(
    ({ _id, archived }) => !archived && !wanted.some((validDocument) => validDocument._id === _id),
  )
  for (const { _id } of gone) await set(_id, { archived_at: now })
}
