import * as desk from '@atrium/contract/forms/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { addForm, archiveForm, changeForm, listForms, publishForm, readForm, readFormVersion } from './desk-forms.ts'
import { exportAnswers, readSubmission, submissions } from './desk-submissions.ts'

export function openDeskFormCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listForms, async (staff, { archived }) => ({
    forms: await listForms(staff, archived === 'yes'),
  }))
  open(app, context, desk.readForm, async (staff, { id }) => ({ form: await readForm(staff, id) }))
  open(app, context, desk.readFormVersion, async (staff, { id, version }) => ({
    version: await readFormVersion(staff, id, version),
  }))
  open(app, context, desk.addForm, {
    audit: ['form.added'],
    idempotent: true,
    handler: async (staff, input) => ({ form: await addForm(staff, input) }),
  })
  open(app, context, desk.changeForm, {
    audit: ['form.changed'],
    idempotent: true,
    handler: async (staff, input) => ({ form: await changeForm(staff, input) }),
  })
  open(app, context, desk.publishForm, {
    audit: ['form.published'],
    idempotent: true,
    handler: async (staff, input) => ({ form: await publishForm(staff, input) }),
  })
  open(app, context, desk.archiveForm, {
    audit: ['form.archived'],
    idempotent: true,
    example: { archived: true },
    handler: async (staff, { id, archived }) => ({
      form: await archiveForm(staff, id, archived),
    }),
  })
  openList(
    app,
    context,
    { list: desk.listSubmissions, table: desk.exportAnswers },
    { ...submissions, table: exportAnswers },
  )
  open(app, context, desk.readSubmission, async (staff, { id }) => ({ submission: await readSubmission(staff, id) }))
}
