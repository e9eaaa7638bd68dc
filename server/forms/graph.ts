import DataLoader from 'dataloader'
import { z } from 'zod'
import { builder, type FormFieldShape, type FormShape } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { definitionOf, listShownForms, type ShownForm } from './form.ts'

const step = builder.objectRef<FormShape['steps'][number]>('FormStep')
const field = builder.objectRef<FormFieldShape>('FormField')

/** A form that the member may see; null for an unknown and a hidden one alike. */
export const formLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, FormShape | null>(async (ids) => {
    const rows = await read((tx) => listShownForms(tx, member, ids))
    const byId = new Map(rows.map((row) => [row.form_id, shapeForm(row)]))
    return ids.map((id) => byId.get(id) ?? null)
  })

function shapeForm(row: ShownForm): FormShape {
  const definition = definitionOf(row)
  return {
    _id: row.form_id,
    name: row.name,
    show_on: row.show_on,
    archived: false,
    is_request: row.is_request,
    version: row.current_version,
    show_conditions: JSON.stringify(definition.show_conditions),
    input_name_conditions: JSON.stringify(definition.input_name_conditions),
    result_bands: JSON.stringify(definition.result_bands),
    steps: definition.steps.map(({ _id, name, fields }) => ({
      _id,
      name,
      fields: fields.map(({ options, scores, config, ...rest }) => ({
        ...rest,
        options: JSON.stringify(options),
        scores: JSON.stringify(scores),
        config: JSON.stringify(config),
      })),
    })),
    vendors: row.vendors,
    departments: row.departments,
    category: row.category,
  }
}

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
      fields: t.expose('fields', { usualLength: 30, type: [field] }),
    }),
  })
  builder.objectType('Form', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      show_on: t.exposeString('show_on', { nullable: true }),
      archived: t.exposeBoolean('archived'),
      is_request: t.exposeBoolean('is_request'),
      version: t.exposeInt('version'),
      show_conditions: t.expose('show_conditions', { type: 'JSONText', nullable: true }),
      input_name_conditions: t.expose('input_name_conditions', { type: 'JSONText', nullable: true }),
      result_bands: t.expose('result_bands', { type: 'JSONText', nullable: true }),
      steps: t.expose('steps', { usualLength: 5, type: [step] }),
      vendors: t.exposeStringList('vendors'),
      departments: t.exposeStringList('departments'),
      category: t.exposeString('category', { nullable: true }),
    }),
  })
  builder.queryField('form', (t) =>
    t.field({
      scopes: ['requests', 'documents'],
      reads: 1,
      type: 'Form',
      nullable: true,
      args: { _id: t.arg.id({ required: true }) },
      resolve: (_root, { _id }, context) =>
        z.uuid().safeParse(_id).success ? context.own(formLoader).load(_id.toLowerCase()) : null,
    }),
  )
}
