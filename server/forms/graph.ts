import { builder, type FormFieldShape, type FormShape } from '../graph/builder.ts'

const step = builder.objectRef<FormShape['steps'][number]>('FormStep')
const field = builder.objectRef<FormFieldShape>('FormField')

/** No workspace has forms yet: every id is unknown. */
export function describeForms(): void {
  field.implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      description: t.exposeString('description', { nullable: true }),
      type: t.exposeString('type'),
      options: t.expose('options', { type: 'JSONText', nullable: true }),
      scores: t.expose('scores', { type: 'JSONText', nullable: true }),
      row: t.exposeInt('row'),
      column: t.exposeInt('column'),
      config: t.expose('config', { type: 'JSONText', nullable: true }),
      input_name: t.exposeString('input_name'),
    }),
  })
  step.implement({
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      fields: t.expose('fields', { type: [field] }),
    }),
  })
  builder.objectType('Form', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      show_on: t.exposeString('show_on', { nullable: true }),
      archived: t.exposeBoolean('archived'),
      is_request: t.exposeBoolean('is_request'),
      show_conditions: t.expose('show_conditions', { type: 'JSONText', nullable: true }),
      input_name_conditions: t.expose('input_name_conditions', { type: 'JSONText', nullable: true }),
      steps: t.expose('steps', { type: [step] }),
      vendors: t.exposeStringList('vendors'),
      departments: t.exposeStringList('departments'),
      category: t.exposeString('category', { nullable: true }),
    }),
  })
  builder.queryField('form', (t) =>
    t.field({ type: 'Form', nullable: true, args: { _id: t.arg.id({ required: true }) }, resolve: () => null }),
  )
}
