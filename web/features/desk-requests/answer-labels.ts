import type { FormDefinition, FormField, FormStep } from '@atrium/contract/forms/definition.ts'
import { hasAnswer } from '@atrium/contract/forms/field-settings.ts'
import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'

/** The answers, with the form version that they belong to. */
export type Answered = NonNullable<DeskRequest['answered']>
/** A field and its answer: text, or ids of files that are listed beside it. */
export type AnsweredField = { field: FormField; text: string | null; files: string[] }
export type AnsweredStep = { _id: string; name: string; rows: AnsweredField[][] }

/** Names for values that the form itself cannot resolve. */
export type AnswerNames = {
  yes: string
  no: string
  day: (day: string) => string
  country: (code: string) => string
}

/** Lays out the answers like the form, without hidden fields and empty steps. */
export function layOut(answered: Answered, names: AnswerNames): AnsweredStep[] {
  const definition = answered.definition as FormDefinition
  return definition.steps
    .map((step) => ({ _id: step._id, name: step.name, rows: rowsOf(step, definition, answered, names) }))
    .filter(({ rows }) => rows.length > 0)
}

function rowsOf({ fields }: FormStep, definition: FormDefinition, answered: Answered, names: AnswerNames) {
  const numbers = [...new Set(fields.map(({ row }) => row))].sort((one, other) => one - other)
  return numbers
    .map((number) =>
      fields
        .filter((field) => field.row === number && hasAnswer(field))
        .sort((one, other) => one.column - other.column)
        .flatMap((field): AnsweredField[] => {
          const given = answerTo(definition, field, answered.answers)
          return given === undefined ? [] : [{ field, ...shownAnswer(field, given, answered, names) }]
        }),
    )
    .filter((row) => row.length > 0)
}

/** The answer under the field's own name or under an alternative one set by a condition. */
function answerTo(definition: FormDefinition, { input_name: name }: FormField, answers: Answered['answers']): unknown {
  const conditions = definition.input_name_conditions
  const others = Object.hasOwn(conditions, name) ? Object.keys(conditions[name] ?? {}) : []
  const found = [name, ...others].find((each) => Object.hasOwn(answers, each))
  return found === undefined ? undefined : answers[found]
}

type Shown = Pick<AnsweredField, 'text' | 'files'>

function shownAnswer(field: FormField, given: unknown, { labels, files }: Answered, names: AnswerNames): Shown {
  const asText = (text: string | null): Shown => ({ text: text === '' ? null : text, files: [] })
  if (field.type === 'file' || field.type === 'files' || field.type === 'signature') {
    const ids = (Array.isArray(given) ? given : [given]).map(String)
    return { text: null, files: ids.filter((id) => files.some(({ _id }) => _id === id)) }
  }
  if (typeof given === 'boolean') return asText(given ? names.yes : names.no)
  if (Array.isArray(given)) return asText(given.map((value) => labelOf(field, String(value), names)).join(', '))
  if (isSpan(given)) return asText(`${names.day(given.from)} \u2013 ${names.day(given.to)}`)
  if (typeof given !== 'string') return asText(null)
  if (Object.hasOwn(labels, given)) return asText(labels[given] ?? given)
  return asText(labelOf(field, given, names))
}

function labelOf({ type, options }: FormField, value: string, names: AnswerNames): string {
  const option = options.find((each) => each.value === value)
  if (option) return option.label
  if (type === 'yes_no') return value === 'yes' ? names.yes : names.no
  if (type === 'date') return names.day(value)
  return type === 'country' ? names.country(value) : value
}

const isSpan = (value: unknown): value is { from: string; to: string } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value
