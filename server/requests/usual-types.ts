import type { ReadyMadeForm } from '@atrium/contract/forms/form-parts.ts'
import { changeOfEmail, changeOfLegalName } from '@atrium/contract/forms/ready-made-details.ts'
import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

const usual = [
  { form: changeOfLegalName, changes: 'legal_name' },
  { form: changeOfEmail, changes: 'email' },
] as const

/** Each new workspace starts with the types that change name and email, to which the profile refers members. */
export async function addUsualRequestTypes(tx: Tx, system: System): Promise<void> {
  const workspace_id = system.workspaceId
  const created_at = system.context.clock.now()
  for (const [position, { form, changes }] of usual.entries()) {
    const key = { workspace_id, form_id: await addReadyMadeForm(tx, system, form, created_at) }
    const { name, description } = form
    await tx
      .insertInto('request_types')
      .values({
        ...{ ...key, request_type_id: newId(), name, description, changes },
        ...{ is_quick_link: true, position, created_at },
      })
      .execute()
  }
}

/** Adds a form for requests in its first version. Returns its id. */
export async function addReadyMadeForm(tx: Tx, system: System, form: ReadyMadeForm, created_at: Date): Promise<string> {
  const key = { workspace_id: system.workspaceId, form_id: newId() }
  const { name, category, definition } = form
  await tx
    .insertInto('forms')
    .values({ ...key, name, category, is_request: true, current_version: 1, created_at })
    .execute()
  await tx
    .insertInto('form_versions')
    .values({ ...key, version: 1, definition: JSON.stringify(definition), made_at: created_at })
    .execute()
  return key.form_id
}
