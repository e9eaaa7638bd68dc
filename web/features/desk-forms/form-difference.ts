import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { allFields, conditionOf } from './form-names.ts'
import { rowsOf } from './form-places.ts'

/** One change between two versions. `parts` lists the changed settings. */
export type FormChange = {
  kind: 'added' | 'removed' | 'changed'
  what: 'field' | 'step' | 'bands'
  label: string
  parts: ChangedPart[]
}
export type ChangedPart =
  | 'name'
  | 'description'
  | 'type'
  | 'options'
  | 'scores'
  | 'settings'
  | 'condition'
  | 'sent name'
  | 'place'

/** Matches fields by input name and steps by id, so that a renamed label does not count as a new field. */
export function differenceOf(before: FormDefinition, after: FormDefinition): FormChange[] {
  return [...stepChanges(before, after), ...fieldChanges(before, after), ...bandChanges(before, after)]
}

function stepChanges(before: FormDefinition, after: FormDefinition): FormChange[] {
  const order = (one: FormDefinition, other: FormDefinition) =>
    one.steps.map(({ _id }) => _id).filter((id) => other.steps.some(({ _id }) => _id === id))
  const [orderBefore, orderAfter] = [order(before, after), order(after, before)]
  const added = after.steps.filter(({ _id }) => !orderAfter.includes(_id))
  const removed = before.steps.filter(({ _id }) => !orderBefore.includes(_id))
  const changed = after.steps.flatMap((step): FormChange[] => {
    const old = before.steps.find(({ _id }) => _id === step._id)
    if (!old) return []
    const isMoved = orderBefore.indexOf(step._id) !== orderAfter.indexOf(step._id)
    const parts: ChangedPart[] = [...only(old.name !== step.name, 'name'), ...only(isMoved, 'place')]
    return parts.length > 0 ? [{ kind: 'changed', what: 'step', label: step.name, parts }] : []
  })
  return [
    ...added.map(({ name }): FormChange => ({ kind: 'added', what: 'step', label: name, parts: [] })),
    ...removed.map(({ name }): FormChange => ({ kind: 'removed', what: 'step', label: name, parts: [] })),
    ...changed,
  ]
}

function fieldChanges(before: FormDefinition, after: FormDefinition): FormChange[] {
  const [fieldsBefore, fieldsAfter] = [allFields(before), allFields(after)]
  const oldByName = new Map(fieldsBefore.map((field) => [field.input_name, field]))
  const namesAfter = new Set(fieldsAfter.map(({ input_name }) => input_name))
  const isCommon = (name: string) => oldByName.has(name) && namesAfter.has(name)
  const [placesBefore, placesAfter] = [placesIn(before, isCommon), placesIn(after, isCommon)]
  const whole = (kind: 'added' | 'removed', fields: FormField[]) =>
    fields.map(({ name }): FormChange => ({ kind, what: 'field', label: name, parts: [] }))
  const changed = fieldsAfter.flatMap((field): FormChange[] => {
    const name = field.input_name
    const old = oldByName.get(name)
    if (!old) return []
    const isMoved = placesBefore.get(name) !== placesAfter.get(name)
    const parts = [...partsOf({ before, after }, old, field), ...only(isMoved, 'place')]
    return parts.length > 0 ? [{ kind: 'changed', what: 'field', label: field.name, parts }] : []
  })
  return [
    ...whole(
      'added',
      fieldsAfter.filter(({ input_name }) => !oldByName.has(input_name)),
    ),
    ...whole(
      'removed',
      fieldsBefore.filter(({ input_name }) => !namesAfter.has(input_name)),
    ),
    ...changed,
  ]
}

/** The step and the preceding common field, so that added or removed fields do not count as a move of others. */
function placesIn({ steps }: FormDefinition, isCommon: (name: string) => boolean): Map<string, string> {
  const places = new Map<string, string>()
  for (const step of steps) {
    let last = ''
    for (const { input_name: name } of rowsOf(step).flat()) {
      if (!isCommon(name)) continue
      places.set(name, `${step._id} ${last}`)
      last = name
    }
  }
  return places
}

type Both = { before: FormDefinition; after: FormDefinition }

function partsOf({ before, after }: Both, old: FormField, field: FormField): ChangedPart[] {
  const name = field.input_name
  const isOther = <Value>(read: (definition: FormDefinition) => Record<string, Value>) =>
    !isAlike(conditionOf(read(before), name), conditionOf(read(after), name))
  return [
    ...only(old.name !== field.name, 'name'),
    ...only(old.type !== field.type, 'type'),
    ...only(old.description !== field.description, 'description'),
    ...only(!isAlike(old.options, field.options), 'options'),
    ...only(!isAlike(old.scores, field.scores), 'scores'),
    ...only(!isAlike(old.config, field.config), 'settings'),
    ...only(
      isOther((form) => form.show_conditions),
      'condition',
    ),
    ...only(
      isOther((form) => form.input_name_conditions),
      'sent name',
    ),
  ]
}

function bandChanges(before: FormDefinition, after: FormDefinition): FormChange[] {
  return isAlike(before.result_bands, after.result_bands)
    ? []
    : [{ kind: 'changed', what: 'bands', label: '', parts: [] }]
}

const only = (isSo: boolean, part: ChangedPart): ChangedPart[] => (isSo ? [part] : [])

/** Compares by value; ignores key order but not list order. */
export const isAlike = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, each]) => [key, sorted(each)])
}
