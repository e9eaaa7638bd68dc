import * as desk from '@atrium/contract/forms/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { addForm, archiveForm, changeForm, listForms, publishForm, readForm, readFormVersion } from './desk-forms.ts'
import { exportAnswers, readSubmission, submissions } from './desk-submissions.ts'

export function openDeskFormCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listForms, async (staff, { archived }) => ({
    forms: await listForms(staff, archived === 'yes'),
  }))
  open(app, ground, desk.readForm, async (staff, { id }) => ({ form: await readForm(staff, id) }))
  open(app, ground, desk.readFormVersion, async (staff, { id, version }) => ({
    version: await readFormVersion(staff, id, version),
  }))
  open(app, ground, desk.addForm, {
    audit: ['form.added'],
    idempotent: true,
    handler: async (staff, input) => ({ form: await addForm(staff, input) }),
  })
  open(app, ground, desk.changeForm, {
    audit: ['form.changed'],
    idempotent: true,
    handler: async (staff, input) => ({ form: await changeForm(staff, input) }),
  })
  open(app, ground, desk.publishForm, {
    audit: ['form.published'],
    idempotent: true,
    handler: async (staff, input) => ({ form: await publishForm(staff, input) }),
  })
  open(app, ground, desk.archiveForm, {
    audit: ['form.archived'],
    idempotent: true,
    example: { archived: true },
    handler: async (staff, { id, archived }) => ({
      form: await archiveForm(staff, id, archived),
    }),
  })
  open(app, ground, desk.listSubmissions, submissions.read)
  open(app, ground, desk.readSubmission, async (staff, { id }) => ({ submission: await readSubmission(staff, id) }))
  openTable(app, ground, desk.exportAnswers, {
    audit: ['form.answers-exported'],
    handler: exportAnswers,
  })
}
