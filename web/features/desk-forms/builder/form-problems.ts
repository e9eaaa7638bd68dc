import { formDefinition } from '@atrium/contract/forms/checked-definition.ts'
import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { takesOptions } from '@atrium/contract/forms/field-settings.ts'
import { fillIn } from '@atrium/contract/forms/form-texts.ts'
import { allFields, conditionOf } from '../form-names.ts'
import { isGroup, readRule } from './condition-text.ts'

/** A problem of a form and its location: a field by name, a step by id, or the whole form. */
export type FormProblem = { message: string; field: string | null; step: string | null }

const problemsMax = 50
type Path = readonly PropertyKey[]
type Issue = { code?: string | undefined; path: Path; message: string }

/** Every problem for which the server would refuse the form, found by the same schema. */
export function problemsOf(definition: FormDefinition): FormProblem[] {
  const read = formDefinition.safeParse(definition)
  return read.success ? [] : problemsOfIssues(read.error.issues, definition)
}

function problemsOfIssues(issues: readonly Issue[], definition: FormDefinition): FormProblem[] {
  const seen = new Set<string>()
  return issues
    .map((issue) => ({ message: messageOf(issue), ...placeOf(issue.path, definition) }))
    .filter(({ message, field, step }) => {
      const key = JSON.stringify([message, field, step])
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, problemsMax)
}

function placeOf(path: Path, { steps }: FormDefinition): Pick<FormProblem, 'field' | 'step'> {
  const [part, at, , fieldAt] = path
  if (part === 'steps' && typeof at === 'number') {
    const step = steps[at]
    const field = typeof fieldAt === 'number' ? step?.fields[fieldAt] : undefined
    return { field: field?.input_name ?? null, step: step?._id ?? null }
  }
  const name = part === 'show_conditions' || part === 'input_name_conditions' ? at : undefined
  const owner = steps.find(({ fields }) => fields.some(({ input_name }) => input_name === name))
  return owner ? { field: String(name), step: owner._id } : { field: null, step: null }
}

const messagesByPart: Record<string, string> = {
  name: 'A name that members read is missing or too long.',
  options: 'An option needs a value and a label.',
  scores: 'Scores are whole numbers.',
  description: 'The description is too long.',
  row: 'There are too many rows.',
  column: 'There are too many fields beside each other.',
  fields: 'There are too many fields in a step.',
  steps: 'A form has at least one step, and not too many.',
  result_bands: 'A result needs a name, and whole numbers from and to.',
}

/** The contract's own message where there is one; otherwise the name of the malformed part. */
function messageOf({ code, path, message }: Issue): string {
  if (code === 'custom' && message !== 'Invalid input') return message
  const config = path.indexOf('config')
  if (config >= 0 && config + 1 < path.length)
    return fillIn('The setting "{{setting}}" cannot have this value.', { setting: String(path[config + 1]) })
  const part = [...path].reverse().find((each) => typeof each === 'string' && Object.hasOwn(messagesByPart, each))
  return (part !== undefined && messagesByPart[String(part)]) || 'This part of the form cannot be read.'
}

/** Likely mistakes that do not prevent saving. */
export function hintsOf(definition: FormDefinition): FormProblem[] {
  const empty = definition.steps
    .filter(({ fields }) => fields.length === 0)
    .map(({ _id }) => ({ message: 'This step has no fields yet.', field: null, step: _id }))
  const byName = new Map(allFields(definition).map((field) => [field.input_name, field]))
  const unreached = definition.steps.flatMap(({ _id, fields }) =>
    fields
      .filter(({ input_name }) => {
        const rule = conditionOf(definition.show_conditions, input_name)
        const group = rule === undefined ? null : readRule(rule)
        return group !== null && unknownValues(group, byName).length > 0
      })
      .map(({ input_name }) => ({
        message: 'Its condition uses a value that is not an option of the other field.',
        field: input_name,
        step: _id,
      })),
  )
  return [...empty, ...unreached]
}

type Part = Parameters<typeof isGroup>[0]

function unknownValues(
  part: Part,
  byName: ReadonlyMap<string, FormDefinition['steps'][number]['fields'][number]>,
): unknown[] {
  if (isGroup(part)) return part.parts.flatMap((each) => unknownValues(each, byName))
  const other = byName.get(part.field)
  if (!other || !takesOptions(other.type) || other.options.length === 0) return []
  if (['more', 'at-least', 'less', 'at-most'].includes(part.operator) || part.value === null) return []
  const wanted = Array.isArray(part.value) ? part.value : [part.value]
  return wanted.filter((value) => !other.options.some((option) => option.value === String(value)))
}

export type Imported =
  | { definition: FormDefinition; name: string | null }
  | { problems: { message: string; where: string }[] }

const importCharsMax = 2_000_000

/** Reads an imported file: the output of `exportText`, or a definition alone. */
export function readImported(text: string): Imported {
  const refused = (message: string): Imported => ({ problems: [{ message, where: '' }] })
  if (text.length > importCharsMax) return refused('This file is too large to be a form.')
  const value = parsed(text)
  if (value === undefined) return refused('This is not valid JSON.')
  const isWrapped = isRecord(value) && isRecord(value.definition)
  const read = formDefinition.safeParse(isWrapped ? value.definition : value)
  if (read.success)
    return {
      definition: read.data,
      name: isWrapped && typeof value.name === 'string' && value.name.trim() !== '' ? value.name.trim() : null,
    }
  return {
    problems: read.error.issues
      .slice(0, problemsMax)
      .map((issue) => ({ message: messageOf(issue), where: issue.path.map(String).join(' \u203a ') })),
  }
}

export const exportText = (name: string, definition: FormDefinition): string =>
  `${JSON.stringify({ name, definition }, null, 2)}\n`

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
