import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { changeFields, type DetailChange } from '@atrium/contract/members/details.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'

/** The fields that a type needs to change such details and the form does not require. */
export function missingChangeFields(definition: FormDefinition | null, changes: DetailChange): string[] {
  const fields = definition?.steps.flatMap((step) => step.fields) ?? []
  const asked = fields.filter(({ type, config }) => ['text', 'email'].includes(type) && config.required === true)
  const names = asked.map(({ input_name }) => input_name)
  return Object.keys(changeFields[changes]).filter((name) => !names.includes(name))
}

/** Refuses a version whose requests would be approved and change nothing. */
export async function refuseMissingChangeFields(
  tx: Tx,
  staff: Staff,
  formId: string,
  definition: FormDefinition,
): Promise<void> {
  const types = await tx
    .selectFrom('request_types')
    .select('changes')
    .where('workspace_id', '=', staff.workspaceId)
    .where('form_id', '=', formId)
    .where('archived_at', 'is', null)
    .where('changes', 'is not', null)
    .execute()
  const missing = types.flatMap(({ changes }) => missingChangeFields(definition, changes as DetailChange))
  if (missing.length === 0) return
  const fields = [...new Set(missing)].join(', ')
  refuseFields({ definition: [deskTexts.changeFieldsKept.replace('{{fields}}', fields)] })
}
