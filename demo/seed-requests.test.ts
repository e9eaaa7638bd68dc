import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { readyMadeForms } from '@atrium/contract/forms/ready-made.ts'
import { requestStates } from '@atrium/contract/requests/states.ts'
import { readOwnDraft } from '../server/forms/drafts.ts'
import { inTransaction, reading } from '../server/foundation/database/database.ts'
import type { Refusal } from '../server/foundation/errors.ts'
import { submitForm } from '../server/requests/submit.ts'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { here } from '../tests/fixtures/on-this-machine.ts'
import { addMember, addStaff, addWorkspace, memberActor } from '../tests/fixtures/workspaces.ts'
import { addRequests } from './seed-requests.ts'

let made: MadeContext
before(async () => {
  made = await makeTestContext()
})
after(() => made.close())

it('seeds every ready-made form, requests in every state, and a draft', async () => {
  const system = await addWorkspace(made.context)
  const { memberId: member } = await addMember(system)
  const { staffId: staff } = await addStaff(system)
  await inTransaction(system, (tx) => addRequests(tx, system, { member, staff }))
  const [forms, requests, drafts] = await reading(system, async (tx) => [
    await tx.selectFrom('forms').where(here).select(['form_id', 'name']).execute(),
    await tx.selectFrom('requests').where(here).select('status').distinct().execute(),
    await tx.selectFrom('form_drafts').where(here).select(['form_id', 'draft_id']).execute(),
  ])
  assert.deepEqual(forms.map(({ name }) => name).sort(), readyMadeForms.map(({ name }) => name).sort())
  assert.deepEqual(requests.map(({ status }) => status).sort(), [...requestStates].sort())
  const [begun] = drafts
  assert.ok(begun)
  const person = await memberActor(system, member)
  const { draft } = await readOwnDraft(person, begun.form_id)
  assert.deepEqual([draft?._id, draft?.answers.scope, draft?.step], [begun.draft_id, 'one', 1])
  // The draft can be continued: only missing fields are reported, and no existing answer is invalid.
  const answers = draft?.answers ?? {}
  const sent = submitForm(person, { form: begun.form_id, data: answers, version: 1, draft: begun.draft_id })
  await assert.rejects(sent, ({ details: { errors = {} } }: Refusal) => {
    assert.ok(Object.keys(errors).length > 0)
    assert.deepEqual(
      Object.keys(errors).filter((name) => Object.hasOwn(answers, name)),
      [],
    )
    return true
  })
})
