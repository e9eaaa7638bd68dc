/** The desk's form calls: settings, versioned definitions, and submissions. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { filterFields, listCalls } from '../list-calls.ts'
import { revision, seenRevision } from '../revision.ts'
import { singleLine } from '../validators/single-line.ts'
import { publishedDefinition } from './calls.ts'
import { formDefinition } from './checked-definition.ts'
import { deskAnswered } from './desk-answers.ts'
import { formsList } from './desk-list.ts'
import { submissionsList } from './submissions-list.ts'

const ok = z.object({ status: z.literal('ok') })
const reads = { access: 'staff', right: 'members.read' } as const
const manages = { access: 'staff', right: 'forms.manage' } as const
const where = { id: z.uuid() }
const version = z.int().min(1).max(1_000_000)

/** Where a form is available on its own; null: only through request types. */
export const formPlaces = ['members-portal'] as const

const names = z.array(z.string().max(limits.nameCharsMax)).max(limits.listEntriesMax)

const values = {
  name: singleLine(limits.nameCharsMax),
  show_on: z.enum(formPlaces).nullable(),
  /** A submission becomes a request of the form's request type. */
  is_request: z.boolean(),
  category: singleLine(limits.listWordCharsMax).nullable(),
  vendors: names,
  departments: names,
}
export type FormValues = z.output<z.ZodObject<typeof values>>

export const deskFormRow = z.object({
  _id: z.uuid(),
  ...values,
  archived: z.boolean(),
  version,
  /** Creation of the newest version. */
  made_at: z.int(),
  made_by: z.string().nullable(),
  /** The number of members who submitted it, counted up to `limits.countedMax`. */
  submissions: z.int(),
  request_types: z.array(z.object({ _id: z.uuid(), name: z.string() })),
  /** Stands for its settings, without the definition. */
  revision,
})
export type DeskFormRow = z.output<typeof deskFormRow>

const formVersion = z.object({ version, made_at: z.int(), made_by: z.string().nullable() })

export const deskForm = deskFormRow.extend({ definition: publishedDefinition, versions: z.array(formVersion) })
export type DeskForm = z.output<typeof deskForm>
const oneForm = ok.extend({ form: deskForm })

export const listForms = defineCall({
  method: 'GET',
  path: '/desk/api/forms',
  ...reads,
  input: z.object(filterFields(formsList)),
  answer: ok.extend({ forms: z.array(deskFormRow) }),
})

export const readForm = defineCall({
  method: 'GET',
  path: '/desk/api/forms/:id',
  ...reads,
  input: z.object(where),
  answer: oneForm,
})

/** An earlier version, for a request that was made with it. */
export const readFormVersion = defineCall({
  method: 'GET',
  path: '/desk/api/forms/:id/versions/:version',
  ...reads,
  input: z.object({ ...where, version: z.coerce.number().int().min(1).max(1_000_000) }),
  answer: ok.extend({ version: formVersion.extend({ definition: publishedDefinition }) }),
})

/** A duplicate name is refused, so that a double click creates one form. */
export const addForm = defineCall({
  method: 'POST',
  path: '/desk/api/forms/add',
  ...manages,
  input: z.object({ ...values, definition: formDefinition }),
  answer: oneForm,
})

export const changeForm = defineCall({
  method: 'POST',
  path: '/desk/api/forms/:id/change',
  ...manages,
  input: z.object({ ...where, ...values, seen: seenRevision }),
  answer: oneForm,
})

/**
 * Publishes a new version; an identical definition is a no-op. `based_on` is the edited version, so that a concurrent
 * edit is refused.
 */
export const publishForm = defineCall({
  method: 'POST',
  path: '/desk/api/forms/:id/publish',
  ...manages,
  input: z.object({ ...where, definition: formDefinition, based_on: version }),
  answer: oneForm,
})

/** An archived form is no longer available; its submissions stay. */
export const archiveForm = defineCall({
  method: 'POST',
  path: '/desk/api/forms/:id/archive',
  ...manages,
  input: z.object({ ...where, archived: z.boolean() }),
  answer: oneForm,
})

const submissionRow = z.object({
  _id: z.uuid(),
  version,
  submitted_at: z.int(),
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }),
  score: z.number().nullable(),
  band: z.string().nullable(),
  request: z.object({ _id: z.uuid(), number: z.string() }).nullable(),
})

/** Submissions of this form, newest first. */
export const { list: listSubmissions } = listCalls(submissionsList, {
  path: '/desk/api/forms/:id/submissions',
  right: 'members.read',
  row: submissionRow,
  fixed: where,
})

export const readSubmission = defineCall({
  method: 'GET',
  path: '/desk/api/submissions/:id',
  ...reads,
  input: z.object(where),
  answer: ok.extend({ submission: submissionRow.extend({ answered: deskAnswered }) }),
})

/** All answers to one version of a form, a column per field. The default is the newest version. */
export const exportAnswers = defineCall({
  method: 'GET',
  path: '/desk/api/forms/:id/answers',
  ...reads,
  input: z.object({ ...where, version: z.coerce.number().int().min(1).max(1_000_000).optional() }),
  answer: ok,
})
