import type { FieldType, FormDefinition, FormField, FormStep } from '@atrium/contract/forms/definition.ts'
import { conditionOf, freshName, namesOf, renameField } from '../form-names.ts'
import { findField, type Place, placeField, rowsOf, withRows, withStep } from '../form-places.ts'

export type NewField = { type: FieldType; name: string; config: FormField['config']; options: FormField['options'] }

/** The form with the new field and the field's generated name; null if the row is full. */
export function addField(
  definition: FormDefinition,
  { type, name, config, options }: NewField,
  place: Place,
): { definition: FormDefinition; name: string } | null {
  const input_name = freshName(namesOf(definition), name)
  const field: FormField = { name, description: null, type, options, scores: {}, row: 0, column: 0, config, input_name }
  const next = placeField(definition, field, place)
  return next && { definition: next, name: input_name }
}

/** A new row at the end of the step. */
export const endOf = (step: FormStep): Place => ({ stepId: step._id, row: rowsOf(step).length, column: null })

/** Removes the field and its own conditions. References from other fields stay; `dependentsOf` lists them beforehand. */
export function removeField(definition: FormDefinition, name: string): FormDefinition {
  const found = findField(definition, name)
  if (!found) return definition
  const rows = rowsOf(found.step).map((fields) => fields.filter(({ input_name }) => input_name !== name))
  return withoutConditions(withStep(definition, withRows(found.step, rows)), [name])
}

/** Copies the field into a new row below, with the same condition. */
export function duplicateField(
  definition: FormDefinition,
  name: string,
): { definition: FormDefinition; name: string } | null {
  const found = findField(definition, name)
  if (!found) return null
  const input_name = freshName(namesOf(definition), found.field.input_name)
  const place: Place = { stepId: found.step._id, row: found.row + 1, column: null }
  const next = placeField(definition, { ...found.field, input_name }, place)
  return next && { definition: withSameCondition(next, name, input_name), name: input_name }
}

function withSameCondition(definition: FormDefinition, from: string, to: string): FormDefinition {
  const rule = conditionOf(definition.show_conditions, from)
  return rule === undefined ? definition : setShowCondition(definition, to, rule)
}

/** The properties of a field other than its input name and position. */
export type FieldChange = Partial<Omit<FormField, 'input_name' | 'row' | 'column'>>

export function changeField(definition: FormDefinition, name: string, change: FieldChange): FormDefinition {
  const found = findField(definition, name)
  if (!found) return definition
  const fields = found.step.fields.map((field) => (field.input_name === name ? { ...field, ...change } : field))
  return withStep(definition, { ...found.step, fields })
}

/** A setting of undefined is removed. */
export function changeConfig(
  definition: FormDefinition,
  name: string,
  change: Partial<Record<keyof FormField['config'], unknown>>,
): FormDefinition {
  const field = findField(definition, name)?.field
  if (!field) return definition
  const said = Object.entries({ ...field.config, ...change }).filter(([, value]) => value !== undefined)
  return changeField(definition, name, { config: Object.fromEntries(said) as FormField['config'] })
}

/** Null if another field has the name. */
export function changeInputName(definition: FormDefinition, from: string, to: string): FormDefinition | null {
  if (from !== to && namesOf(definition).has(to)) return null
  return renameField(definition, from, to)
}

/** Adds a step after the given one, or at the end. */
export function addStep(
  definition: FormDefinition,
  step: Pick<FormStep, '_id' | 'name'>,
  after?: string,
): FormDefinition {
  const at = definition.steps.findIndex(({ _id }) => _id === after)
  const steps = definition.steps.toSpliced(at < 0 ? definition.steps.length : at + 1, 0, { ...step, fields: [] })
  return { ...definition, steps }
}

export const renameStep = (definition: FormDefinition, id: string, name: string): FormDefinition => ({
  ...definition,
  steps: definition.steps.map((step) => (step._id === id ? { ...step, name } : step)),
})

/** Null at the first or last position. */
export function moveStep(definition: FormDefinition, id: string, by: -1 | 1): FormDefinition | null {
  const at = definition.steps.findIndex(({ _id }) => _id === id)
  const step = definition.steps[at]
  if (!step || !definition.steps[at + by]) return null
  return { ...definition, steps: definition.steps.toSpliced(at, 1).toSpliced(at + by, 0, step) }
}

/** Removes the step with its fields and their conditions; null for the last remaining step. */
export function removeStep(definition: FormDefinition, id: string): FormDefinition | null {
  const step = definition.steps.find(({ _id }) => _id === id)
  if (!step || definition.steps.length === 1) return null
  const steps = definition.steps.filter((each) => each !== step)
  return withoutConditions(
    { ...definition, steps },
    step.fields.map(({ input_name }) => input_name),
  )
}

/** Inserts a copy after the step, with unique names; references between its fields point to the copies. */
export function duplicateStep(
  definition: FormDefinition,
  id: string,
  copy: Pick<FormStep, '_id' | 'name'>,
): FormDefinition {
  const step = definition.steps.find(({ _id }) => _id === id)
  if (!step) return definition
  const taken = namesOf(definition)
  let alone: FormDefinition = {
    ...definition,
    steps: [step],
    show_conditions: pickOf(definition.show_conditions, step),
    input_name_conditions: pickOf(definition.input_name_conditions, step),
  }
  for (const { input_name } of step.fields) {
    const name = freshName(taken, input_name)
    taken.add(name)
    alone = renameField(alone, input_name, name)
  }
  const at = definition.steps.indexOf(step)
  const fields = alone.steps[0]?.fields ?? []
  return {
    ...definition,
    steps: definition.steps.toSpliced(at + 1, 0, { ...copy, fields }),
    show_conditions: { ...definition.show_conditions, ...alone.show_conditions },
    input_name_conditions: { ...definition.input_name_conditions, ...alone.input_name_conditions },
  }
}

const pickOf = <Value>(record: Record<string, Value>, { fields }: FormStep): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => fields.some(({ input_name }) => input_name === name)))

type ShowConditions = FormDefinition['show_conditions']

/** A rule of null removes the condition, so that the field is always shown. */
export function setShowCondition(
  definition: FormDefinition,
  name: string,
  rule: ShowConditions[string] | null,
): FormDefinition {
  const { [name]: _, ...others } = definition.show_conditions
  return { ...definition, show_conditions: rule === null ? others : { ...others, [name]: rule } }
}

/** Alternative names under which the answer is sent, each with its condition. */
export function setSentNames(
  definition: FormDefinition,
  name: string,
  names: FormDefinition['input_name_conditions'][string],
): FormDefinition {
  const { [name]: _, ...others } = definition.input_name_conditions
  const isNone = Object.keys(names).length === 0
  return { ...definition, input_name_conditions: isNone ? others : { ...others, [name]: names } }
}

function withoutConditions(definition: FormDefinition, names: string[]): FormDefinition {
  const keep = <Value>(record: Record<string, Value>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
  return {
    ...definition,
    show_conditions: keep(definition.show_conditions),
    input_name_conditions: keep(definition.input_name_conditions),
  }
}
