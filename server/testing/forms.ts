import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { aField, formOf } from '@atrium/contract/forms/testing.ts'
import { saveOwnDraft } from '../forms/drafts.ts'
import type { System } from '../foundation/actor.ts'
import type { Forms } from '../foundation/database.generated.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { sendRequest } from '../requests/send.ts'
import { memberActor } from './harbour.ts'
import { addMedia, addRequestType } from './harbour-papers.ts'
import { type Made, nextCount } from './made.ts'

/** Two steps: where somebody lives, and why they moved where they say that they have. */
export const addressForm: FormDefinition = formOf(
  [
    [
      aField('text', 'street', { config: { required: true } }),
      aField('yes_no', 'has_moved', { scores: { yes: 2, no: 0 } }),
      aField('text', 'moved_from', { config: { required: true } }),
    ],
    [
      aField('files', 'proofs', { config: { count_max: 2 } }),
      aField('consent', 'is_true', { config: { required: true } }),
    ],
  ],
  {
    show_conditions: { moved_from: { '==': [{ var: 'has_moved' }, 'yes'] } },
    result_bands: [{ from: 0, to: 5, name: 'Low', text: 'Nothing to do.' }],
  },
)

export const addressAnswers = { street: 'Quay 1', has_moved: 'no', is_true: true }

/** A published form, of its first version. */
export async function addForm(
  system: System,
  { definition = addressForm, ...values }: Made<Omit<Forms, 'current_version'>> & { definition?: FormDefinition } = {},
): Promise<string> {
  const form_id = newId()
  const created_at = system.ground.clock.now()
  const key = { workspace_id: system.workspaceId, form_id }
  await inTransaction(system, async (tx) => {
    await tx
      .insertInto('forms')
      .values({ name: `Form ${nextCount()}`, is_request: true, created_at, ...values, ...key, current_version: 1 })
      .execute()
    await tx
      .insertInto('form_versions')
      .values({ ...key, version: 1, definition: JSON.stringify(definition), made_at: created_at })
      .execute()
  })
  return form_id
}

export type Offered = { formId: string; typeId: string }

/** A request type that is offered, with a form. */
export async function addOffered(system: System, definition?: FormDefinition): Promise<Offered> {
  const formId = await addForm(system, definition ? { definition } : {})
  return { formId, typeId: await addRequestType(system, { name: `Change of address ${nextCount()}`, form_id: formId }) }
}

/** Another version of a form, as it is published. */
export async function addVersion(system: System, formId: string, definition: FormDefinition): Promise<number> {
  return inTransaction(system, async (tx) => {
    const { current_version: before } = await tx
      .selectFrom('forms')
      .select('current_version')
      .where('workspace_id', '=', system.workspaceId)
      .where('form_id', '=', formId)
      .executeTakeFirstOrThrow()
    const key = { workspace_id: system.workspaceId, form_id: formId, version: before + 1 }
    await tx
      .insertInto('form_versions')
      .values({ ...key, definition: JSON.stringify(definition), made_at: system.ground.clock.now() })
      .execute()
    await tx
      .updateTable('forms')
      .set({ current_version: before + 1 })
      .where('workspace_id', '=', system.workspaceId)
      .where('form_id', '=', formId)
      .execute()
    return before + 1
  })
}

/** A file that may be an answer and is attached to nothing yet. */
export const addAnswerFile = (system: System, memberId: string): Promise<string> =>
  addMedia(system, { memberId, purpose: 'form', name: 'bill.pdf' })

/** For the tests of every table: a request with answers and a file, and a draft of the next. */
export async function fillForms(system: System, memberIds: string[]): Promise<void> {
  const { formId, typeId } = await addOffered(system)
  for (const memberId of memberIds) {
    const member = await memberActor(system, memberId)
    const data = { ...addressAnswers, proofs: [await addAnswerFile(system, memberId)] }
    await sendRequest(member, { request: { request_type: typeId }, form_submit: { form: formId, data } })
    const answers = { street: 'Quay 2', proofs: [await addAnswerFile(system, memberId)] }
    await saveOwnDraft(member, { form: formId, version: 1, answers, step: 1, revision: null })
  }
}
