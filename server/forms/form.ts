import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { type SqlBool, sql } from 'kysely'
import type { Actor, Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { assertState } from '../foundation/errors.ts'

export type ShownForm = Awaited<ReturnType<typeof listShownForms>>[number]

/**
 * True in a query over `forms` for one visible to members: standalone, or offered by a request type. A form that becomes a request
 * needs such a type, since it could otherwise be filled in but never sent.
 */
const isShown = sql<SqlBool>`forms.archived_at is null and ((forms.show_on = 'members-portal' and not forms.is_request) or exists (
  select from request_types as type
  where type.workspace_id = forms.workspace_id and type.form_id = forms.form_id
  and type.show_in_portal and type.archived_at is null))`

/** Forms with their current version. */
export const selectCurrent = (tx: Tx) =>
  tx
    .selectFrom('forms')
    .innerJoin('form_versions as made', (join) =>
      join
        .onRef('made.workspace_id', '=', 'forms.workspace_id')
        .onRef('made.form_id', '=', 'forms.form_id')
        .onRef('made.version', '=', 'forms.current_version'),
    )

/** Those of these forms that members may see, in their current version. */
export function listShownForms(tx: Tx, member: Member, ids: readonly string[]) {
  return selectCurrent(tx)
    .select(['forms.form_id', 'forms.name', 'forms.show_on', 'forms.is_request', 'forms.vendors', 'forms.departments'])
    .select(['forms.category', 'forms.current_version', 'made.definition'])
    .where('forms.workspace_id', '=', member.workspaceId)
    .where('forms.form_id', 'in', [...ids])
    .where(isShown)
    .execute()
}

export async function findShownForm(tx: Tx, member: Member, formId: string): Promise<ShownForm | null> {
  return (await listShownForms(tx, member, [formId]))[0] ?? null
}

/** A published version of a form, which must exist. */
export async function readVersion(
  tx: Tx,
  actor: Actor,
  { formId, version }: { formId: string; version: number },
): Promise<FormDefinition> {
  const row = await tx
    .selectFrom('form_versions')
    .select('definition')
    .where('workspace_id', '=', actor.workspaceId)
    .where('form_id', '=', formId)
    .where('version', '=', version)
    .executeTakeFirst()
  assertState(row, 'a form without the named version')
  return definitionOf(row)
}

/** Stored definitions were validated when they were published. */
export const definitionOf = ({ definition }: { definition: unknown }): FormDefinition => definition as FormDefinition
