import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import type { DeskForm, DeskFormRow, FormValues } from '@atrium/contract/forms/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdName } from '../foundation/database/named-lock.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseStale, revisionOf } from '../foundation/revision.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { refuseMissingChangeFields } from './change-fields.ts'
import { definitionOf, readVersion, selectCurrent } from './form.ts'

/** The brokerage's forms by name, active or archived. */
export function listForms(staff: Staff, archived: boolean): Promise<DeskFormRow[]> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const rows = await selectForms(tx, staff)
      .where('forms.archived_at', archived ? 'is not' : 'is', null)
      .orderBy(sql`lower(forms.name)`)
      .orderBy('forms.form_id')
      .limit(limits.formsMax)
      .execute()
    return rows.map(shapeRow)
  })
}

function selectForms(tx: Tx, staff: Staff) {
  return selectCurrent(tx)
    .selectAll('forms')
    .select(['made.made_at', 'made.made_by_name'])
    .select(
      sql<number>`(select count(*)::int from (select from form_answers as sent
        where sent.workspace_id = forms.workspace_id and sent.form_id = forms.form_id
        limit ${limits.countedMax}) as counted)`.as('submissions'),
    )
    .select(
      sql<{ _id: string; name: string }[]>`(select coalesce(jsonb_agg(
          jsonb_build_object('_id', type.request_type_id, 'name', type.name) order by type.position), '[]')
        from request_types as type where type.workspace_id = forms.workspace_id
        and type.form_id = forms.form_id and type.archived_at is null)`.as('request_types'),
    )
    .where('forms.workspace_id', '=', staff.workspaceId)
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectForms>['execute']>>[number]

function shapeRow(row: Selected): DeskFormRow {
  const values = valuesOf({ ...row, show_on: row.show_on as FormValues['show_on'] })
  return {
    _id: row.form_id,
    ...values,
    archived: row.archived_at !== null,
    version: row.current_version,
    made_at: row.made_at.getTime(),
    made_by: row.made_by_name,
    submissions: row.submissions,
    request_types: row.request_types,
    revision: revisionOf(values),
  }
}

export function readForm(staff: Staff, id: string): Promise<DeskForm> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, (tx) => read(tx, staff, id))
}

/** The newest versions; older ones can still be read by number. */
const versionsShown = 200

async function read(tx: Tx, staff: Staff, id: string): Promise<DeskForm> {
  const row = await selectForms(tx, staff).where('forms.form_id', '=', id).executeTakeFirst()
  if (!row) refuseNotFound()
  const versions = await tx
    .selectFrom('form_versions')
    .select(['version', 'made_at', 'made_by_name'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('form_id', '=', id)
    .orderBy('version', 'desc')
    .limit(versionsShown)
    .execute()
  return {
    ...shapeRow(row),
    definition: await readVersion(tx, staff, { formId: id, version: row.current_version }),
    versions: versions.map(shapeVersion),
  }
}

type VersionRow = { version: number; made_at: Date; made_by_name: string | null }
const shapeVersion = ({ version, made_at, made_by_name }: VersionRow) => ({
  version,
  made_at: made_at.getTime(),
  made_by: made_by_name,
})

export function readFormVersion(staff: Staff, id: string, version: number) {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await tx
      .selectFrom('form_versions')
      .select(['version', 'made_at', 'made_by_name', 'definition'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('form_id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    return row ? { ...shapeVersion(row), definition: definitionOf(row) } : refuseNotFound()
  })
}

type New = FormValues & { definition: FormDefinition }

/** Adds a form. One with the same name and the same definition exists already because of a double click, and is returned. */
export async function addForm(staff: Staff, { definition, ...values }: New): Promise<DeskForm> {
  authorizeStaff(staff, 'forms.manage')
  return inTransaction(staff, async (tx) => {
    await lockForms(tx, staff)
    const same = await findNamed(tx, staff, values.name)
    if (same && (await isPublishedSo(tx, staff, same, definition))) return read(tx, staff, same.form_id)
    if (same) refuseFields({ name: [deskTexts.formNameTaken] })
    await refuseTooMany(tx, staff)
    const form_id = newId()
    const created_at = staff.context.clock.now()
    await tx
      .insertInto('forms')
      .values({ workspace_id: staff.workspaceId, form_id, ...values, current_version: 1, created_at })
      .execute()
    await insertVersion(tx, staff, { form_id, version: 1, definition })
    await record(tx, staff, 'form.added', form_id, { after: { ...values, version: 1 } })
    return read(tx, staff, form_id)
  })
}

type Change = FormValues & { id: string; seen?: string | undefined }

export async function changeForm(staff: Staff, { id, seen, ...values }: Change): Promise<DeskForm> {
  authorizeStaff(staff, 'forms.manage')
  return inTransaction(staff, async (tx) => {
    await lockForms(tx, staff, id)
    const before = await read(tx, staff, id)
    const current = valuesOf(before)
    if (JSON.stringify(current) === JSON.stringify(valuesOf(values))) return before
    refuseStale(seen, current)
    const same = await findNamed(tx, staff, values.name)
    if (same && same.form_id !== id) refuseFields({ name: [deskTexts.formNameTaken] })
    // A request type that offers it would then offer a form that becomes no request.
    if (!values.is_request && before.request_types.length > 0) refuseFields({ is_request: [deskTexts.formOffered] })
    await tx
      .updateTable('forms')
      .set(values)
      .where('workspace_id', '=', staff.workspaceId)
      .where('form_id', '=', id)
      .execute()
    await record(tx, staff, 'form.changed', id, { before: current, after: values })
    return read(tx, staff, id)
  })
}

const valuesOf = ({ name, show_on, is_request, category, vendors, departments }: FormValues): FormValues => ({
  ...{ name, show_on, is_request },
  ...{ category, vendors, departments },
})

type Published = { id: string; definition: FormDefinition; based_on: number }

/** Publishes a new version, which members fill in from now on. Publishing an identical version is a no-op. */
export async function publishForm(staff: Staff, { id, definition, based_on }: Published): Promise<DeskForm> {
  authorizeStaff(staff, 'forms.manage')
  return inTransaction(staff, async (tx) => {
    await lockForms(tx, staff, id)
    const form = await tx
      .selectFrom('forms')
      .select(['form_id', 'current_version'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('form_id', '=', id)
      .executeTakeFirst()
    if (!form) refuseNotFound()
    if (await isPublishedSo(tx, staff, form, definition)) return read(tx, staff, id)
    if (form.current_version !== based_on) refuse('conflict', deskTexts.formPublishedElsewhere)
    await refuseMissingChangeFields(tx, staff, id, definition)
    const version = form.current_version + 1
    await insertVersion(tx, staff, { form_id: id, version, definition })
    await tx
      .updateTable('forms')
      .set({ current_version: version })
      .where('workspace_id', '=', staff.workspaceId)
      .where('form_id', '=', id)
      .execute()
    await record(tx, staff, 'form.published', id, { before: { version: based_on }, after: { version } })
    return read(tx, staff, id)
  })
}

/** An archived form is hidden; its answers and drafts remain. */
export async function archiveForm(staff: Staff, id: string, archived: boolean): Promise<DeskForm> {
  authorizeStaff(staff, 'forms.manage')
  return inTransaction(staff, async (tx) => {
    await lockForms(tx, staff, id)
    const before = await read(tx, staff, id)
    if (before.archived === archived) return before
    if (archived && before.request_types.length > 0) refuse('conflict', deskTexts.formOffered)
    const same = archived ? null : await findNamed(tx, staff, before.name)
    if (same) refuseFields({ name: [deskTexts.formNameTaken] })
    if (!archived) await refuseTooMany(tx, staff)
    await tx
      .updateTable('forms')
      .set({ archived_at: archived ? staff.context.clock.now() : null })
      .where('workspace_id', '=', staff.workspaceId)
      .where('form_id', '=', id)
      .execute()
    await record(tx, staff, archived ? 'form.archived' : 'form.restored', id, {})
    return read(tx, staff, id)
  })
}

/** Serializes concurrent changes of this workspace's forms. */
async function lockForms(tx: Tx, staff: Staff, id?: string): Promise<void> {
  await holdName(tx, `forms-${staff.workspaceId}`)
  if (id === undefined) return
  // Waits for a concurrent change of a request type that offers it, which locks the row.
  await tx
    .selectFrom('forms')
    .select('form_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('form_id', '=', id)
    .forUpdate()
    .execute()
}

async function findNamed(tx: Tx, staff: Staff, name: string) {
  const row = await tx
    .selectFrom('forms')
    .select(['form_id', 'current_version'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('archived_at', 'is', null)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst()
  return row ?? null
}

async function isPublishedSo(
  tx: Tx,
  staff: Staff,
  { form_id, current_version }: { form_id: string; current_version: number },
  definition: FormDefinition,
): Promise<boolean> {
  const row = await tx
    .selectFrom('form_versions')
    .select('version')
    .where('workspace_id', '=', staff.workspaceId)
    .where('form_id', '=', form_id)
    .where('version', '=', current_version)
    .where(sql<boolean>`definition = ${JSON.stringify(definition)}::jsonb`)
    .executeTakeFirst()
  return row !== undefined
}

async function refuseTooMany(tx: Tx, staff: Staff): Promise<void> {
  const { count } = await tx
    .selectFrom('forms')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', staff.workspaceId)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= limits.formsMax) refuse('conflict', deskTexts.formsTooMany)
}

type Version = { form_id: string; version: number; definition: FormDefinition }

async function insertVersion(tx: Tx, staff: Staff, { definition, ...version }: Version): Promise<void> {
  await tx
    .insertInto('form_versions')
    .values({
      workspace_id: staff.workspaceId,
      ...version,
      definition: JSON.stringify(definition),
      made_at: staff.context.clock.now(),
      made_by: staff.staffId,
      made_by_name: staff.name,
    })
    .execute()
}

type Changed = { before?: Record<string, unknown>; after?: Record<string, unknown> }

/** Every change of a form ends here. It decides what members are asked, so an unattended session must not suffice. */
async function record(tx: Tx, staff: Staff, action: string, id: string, changed: Changed): Promise<void> {
  await requireProof(tx, staff)
  return audit(tx, staff, { action, subject: { kind: 'form', id }, ...changed })
}
