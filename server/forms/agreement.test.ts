import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { checkAnswers } from '@atrium/contract/forms/answers.ts'
import { answersInput } from '@atrium/contract/forms/calls.ts'
import type { FieldType, FormDefinition } from '@atrium/contract/forms/definition.ts'
import { isStorable } from '@atrium/contract/forms/storable.ts'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addForm } from '../../tests/fixtures/forms.ts'
import { filledIn, someAnswers, someForm } from '../../tests/fixtures/random-forms.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let owner: pg.Client

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
  app = await buildApp(made.context)
  owner = await made.openOwner()
})
after(async () => {
  await app.close()
  await made.close()
})

/** Fields whose answers are ids, which only the server can check for existence and ownership. */
const naming: readonly FieldType[] = ['file', 'files', 'signature', 'trading_account', 'bank_account']
const namesNothing = ({ steps }: FormDefinition) =>
  steps.every(({ fields }) => fields.every(({ type }) => !naming.includes(type)))

/** The HTTP server refuses a body with these keys before a call reads it. */
const isReadable = (answers: unknown) => !/"(?:__proto__|constructor)":/.test(JSON.stringify(answers))

const isKept = (value: unknown) => typeof value !== 'string' || isStorable(value)

it('validates a form and its answers as the browser does', async () => {
  const caller = callerOf(app)
  const taken = { yes: 0, no: 0, answers: 0 }
  for (const [form, given] of fc.sample(fc.tuple(someForm.filter(namesNothing), someAnswers.filter(isReadable)), 60)) {
    const { memberId } = await addMember(system)
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    const formId = await addForm(system, { definition: form, show_on: 'members-portal', is_request: false })
    for (const sent of [given, filledIn(form, given)]) {
      const data = JSON.parse(JSON.stringify(sent))
      const said = checkAnswers(form, data, { today: made.context.clock.now().toISOString().slice(0, 10) })
      const answer = await caller.post('/form/submit', { form: formId, data }, token)
      const where = `${JSON.stringify({ form, data })}: ${answer.raw}`
      // The server refuses malformed answers before it reads the form, also in fields that are hidden.
      const isShaped = answersInput.safeParse(data).success && Object.values(data).flat().every(isKept)
      const isTaken = said.ok && isShaped
      assert.equal(answer.status, isTaken ? 200 : 422, where)
      taken[isTaken ? 'yes' : 'no'] += 1
      if (isTaken) {
        const { _id } = answer.body.submission as { _id: string }
        const stored = await owner.query('select answers, sent from form_answers where answers_id = $1', [_id])
        assert.deepEqual(stored.rows, [{ answers: said.accepted, sent: said.named }], where)
        taken.answers += Object.keys(said.accepted).length
      } else if (!said.ok && isShaped) assert.deepEqual(answer.body.errors, said.errors, where)
    }
  }
  assert.ok(taken.yes > 20 && taken.no > 20 && taken.answers > 60, JSON.stringify(taken))
})
