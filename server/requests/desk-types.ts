import { limits } from '@atrium/contract/limits.ts'
import type { DeskRequestType, RequestTypeValues } from '@atrium/contract/requests/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { type SqlBool, sql } from 'kysely'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdName } from '../foundation/database/named-lock.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseStale, refuseUnseen, revisionOf } from '../foundation/revision.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { requireChangeFields } from './detail-change.ts'

/** All request types: offered ones in their order, archived ones last. */
export function listRequestTypes(staff: Staff): Promise<DeskRequestType[]> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, (tx) => list(tx, staff))
}

async function list(tx: Tx, staff: Staff): Promise<DeskRequestType[]> {
  const rows = await tx
    .selectFrom('request_types as type')
    .leftJoin('forms', (join) =>
      join.onRef('forms.workspace_id', '=', 'type.workspace_id').onRef('forms.form_id', '=', 'type.form_id'),
    )
    .selectAll('type')
    .select(['forms.name as form_name', 'forms.archived_at as form_archived_at'])
    .select(
      sql<number>`(select count(*)::int from (select from requests as waiting
        where waiting.workspace_id = type.workspace_id and waiting.request_type_id = type.request_type_id
        and waiting.status in ('not-assigned', 'open', 'in-progress') limit ${limits.countedMax}) as counted)`.as(
        'waiting',
      ),
    )
    .where('type.workspace_id', '=', staff.workspaceId)
    .orderBy(sql<SqlBool>`type.archived_at is not null`)
    .orderBy('type.position')
    .orderBy('type.request_type_id')
    .limit(shownMax)
    .execute()
  const types = rows.map((row) => ({
    _id: row.request_type_id,
    name: row.name,
    description: row.description,
    predefined_type: row.predefined_type as DeskRequestType['predefined_type'],
    changes: row.changes as DeskRequestType['changes'],
    form: row.form_id ? { _id: row.form_id, name: row.form_name ?? '', archived: row.form_archived_at !== null } : null,
    show_in_portal: row.show_in_portal,
    is_quick_link: row.is_quick_link,
    archived: row.archived_at !== null,
    created_at: row.created_at.getTime(),
    waiting: row.waiting,
  }))
  return types.map((type) => ({ ...type, revision: revisionOf(valuesOf(type)) }))
}

/** Includes archived types, which can outnumber the offered ones. */
const shownMax = limits.requestTypesMax * 5

type Values = RequestTypeValues & { changes: DeskRequestType['changes'] }

/** An identical type with the same name is a double click. */
export async function addRequestType(
  staff: Staff,
  { changes = null, ...given }: RequestTypeValues,
): Promise<DeskRequestType[]> {
  const values = { ...given, changes }
  authorizeStaff(staff, 'forms.manage')
  return inTransaction(staff, async (tx) => {
    const offered = await holdOffered(tx, staff)
    const same = findNamed(offered, values.name)
    if (same && isSame(same, values)) return list(tx, staff)
    if (same) refuseFields({ name: [deskTexts.requestTypeNameTaken] })
    if (offered.length >= limits.requestTypesMax) refuse('conflict', deskTexts.requestTypesTooMany)
    await checkForm(tx, staff, values, null)
    const request_type_id = newId()
    await tx
      .insertInto('request_types')
      .values({
        workspace_id: staff.workspaceId,
        request_type_id,
        ...columnsOf(values),
        position: await nextPosition(tx, staff),
        created_at: staff.context.clock.now(),
      })
      .execute()
    await record(tx, staff, 'request-type.added', request_type_id, { after: values })
    return list(tx, staff)
  })
}

type Change = RequestTypeValues & { id: string; seen?: string | undefined }

export async function changeRequestType(staff: Staff, { id, seen, ...given }: Change): Promise<DeskRequestType[]> {
  authorizeStaff(staff, 'forms.manage')
  return inTransaction(staff, async (tx) => {
    const offered = await holdOffered(tx, staff)
    const before = offered.find(({ _id }) => _id === id) ?? refuseNotFound()
    const values = { ...given, changes: given.changes === undefined ? before.changes : given.changes }
    if (isSame(before, values)) return list(tx, staff)
    refuseStale(seen, valuesOf(before))
    const same = findNamed(offered, values.name)
    if (same && same._id !== id) refuseFields({ name: [deskTexts.requestTypeNameTaken] })
    await checkForm(tx, staff, values, before.form?._id ?? null)
    await update(tx, staff, id, columnsOf(values))
    await record(tx, staff, 'request-type.changed', id, { before: valuesOf(before), after: values })
    return list(tx, staff)
  })
}

/** An archived type is no longer offered, and its requests stay. A restored type comes last. */
export async function archiveRequestType(staff: Staff, id: string, archived: boolean): Promise<DeskRequestType[]> {
  authorizeStaff(staff, 'forms.manage')
  return inTransaction(staff, async (tx) => {
    const offered = await holdOffered(tx, staff)
    const all = await list(tx, staff)
    const type = all.find(({ _id }) => _id === id) ?? refuseNotFound()
    if (type.archived === archived) return all
    if (!archived && findNamed(offered, type.name)) refuseFields({ name: [deskTexts.requestTypeNameTaken] })
    if (!archived && offered.length >= limits.requestTypesMax) refuse('conflict', deskTexts.requestTypesTooMany)
    if (!archived) await holdForm(tx, staff, type.form?._id ?? null)
    // A version without these fields may have been published while no type asked for them.
    if (!archived && type.changes !== null) await requireChangeFields(tx, staff, type.form?._id ?? null, type.changes)
    const archived_at = archived ? staff.context.clock.now() : null
    await update(tx, staff, id, { archived_at, ...(!archived && { position: await nextPosition(tx, staff) }) })
    await record(tx, staff, archived ? 'request-type.archived' : 'request-type.restored', id, {})
    return list(tx, staff)
  })
}

/** The list must name each offered type once; a list read before a type was added is refused. */
export async function orderRequestTypes(
  staff: Staff,
  ids: readonly string[],
  seen?: readonly string[],
): Promise<DeskRequestType[]> {
  authorizeStaff(staff, 'forms.manage')
  return inTransaction(staff, async (tx) => {
    const before = (await holdOffered(tx, staff)).map(({ _id }) => _id)
    const isWhole = ids.length === before.length && new Set(ids).size === ids.length
    if (!isWhole || !ids.every((id) => before.includes(id))) refuse('conflict', deskTexts.requestTypesChanged)
    if (ids.every((id, at) => id === before[at])) return list(tx, staff)
    refuseUnseen(seen, before)
    for (const [position, id] of ids.entries()) await update(tx, staff, id, { position })
    await audit(tx, staff, {
      action: 'request-types.ordered',
      subject: { kind: 'workspace', id: staff.workspaceId },
      before: { types: before },
      after: { types: ids },
    })
    return list(tx, staff)
  })
}

/** Serializes concurrent changes of the types. */
async function holdOffered(tx: Tx, staff: Staff): Promise<DeskRequestType[]> {
  await holdName(tx, `request-types-${staff.workspaceId}`)
  return (await list(tx, staff)).filter(({ archived }) => !archived)
}

const findNamed = (types: DeskRequestType[], name: string) =>
  types.find((type) => type.name.toLowerCase() === name.toLowerCase())

const valuesOf = (type: DeskRequestType): Values => ({
  ...{ name: type.name, description: type.description, predefined_type: type.predefined_type },
  ...{ form: type.form?._id ?? null, changes: type.changes },
  ...{ show_in_portal: type.show_in_portal, is_quick_link: type.is_quick_link },
})

function isSame(type: DeskRequestType, values: Values): boolean {
  const before = valuesOf(type)
  const names = Object.keys(before) as (keyof Values)[]
  return names.every((name) => before[name] === values[name])
}

const columnsOf = ({ form, ...values }: Values) => ({ ...values, form_id: form })

/** A type may keep a form archived since, but not choose one. */
async function checkForm(
  tx: Tx,
  staff: Staff,
  { form, predefined_type, changes }: Values,
  before: string | null,
): Promise<void> {
  if (changes !== null) await requireChangeFields(tx, staff, form, changes)
  if (form === null) return
  if (predefined_type !== null) refuseFields({ form: [deskTexts.formBesidePage] })
  if (form !== before) await holdForm(tx, staff, form)
}

/** Refuses an archived form: a member could not send a request of such a type. */
async function holdForm(tx: Tx, staff: Staff, form: string | null): Promise<void> {
  if (form === null) return
  const row = await tx
    .selectFrom('forms')
    .select('form_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('form_id', '=', form)
    .where('is_request', '=', true)
    .where('archived_at', 'is', null)
    // A concurrent archiving waits, and finds the form offered.
    .forShare()
    .executeTakeFirst()
  if (!row) refuseFields({ form: [deskTexts.formUnknown] })
}

async function nextPosition(tx: Tx, staff: Staff): Promise<number> {
  const { position } = await tx
    .selectFrom('request_types')
    .select(sql<number>`coalesce(max(position), -1) + 1`.as('position'))
    .where('workspace_id', '=', staff.workspaceId)
    .executeTakeFirstOrThrow()
  return position
}

type Columns = Partial<ReturnType<typeof columnsOf>> & { position?: number; archived_at?: Date | null }

async function update(tx: Tx, staff: Staff, id: string, columns: Columns): Promise<void> {
  await tx
    .updateTable('request_types')
    .set(columns)
    .where('workspace_id', '=', staff.workspaceId)
    .where('request_type_id', '=', id)
    .execute()
}

type Changed = { before?: Record<string, unknown>; after?: Record<string, unknown> }

/** Every change of a type ends here, except of the order: as with forms, an unattended session must not suffice. */
async function record(tx: Tx, staff: Staff, action: string, id: string, changed: Changed): Promise<void> {
  await requireProof(tx, staff)
  return audit(tx, staff, { action, subject: { kind: 'request_type', id }, ...changed })
}
