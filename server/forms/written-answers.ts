import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { answerKindOf, hasAnswer } from '@atrium/contract/forms/field-settings.ts'
import type { DaySpan } from '@atrium/contract/forms/judge-answer.ts'
import type { Cell } from '../foundation/csv.ts'
import type { SubmittedAnswers } from './submitted-answers.ts'

/** Fields with a column in the table, in the order of the form. */
export const columnsOf = ({ steps }: FormDefinition): FormField[] =>
  steps.flatMap(({ fields }) => fields).filter((field) => hasAnswer(field))

/** The answers for these columns as display text, and answers without a column in one last cell. */
export function cellsOf(columns: readonly FormField[], answered: SubmittedAnswers | undefined): Cell[] {
  if (!answered) return [...columns.map(() => ''), '']
  const answerTo = ({ input_name: name }: FormField): unknown =>
    Object.hasOwn(answered.answers, name) ? answered.answers[name] : null
  // Options change between versions: an answer is read by its own version.
  const asked = new Map(columnsOf(answered.definition).map((field) => [field.input_name, field]))
  const cells = columns.map((field) => cellOf(asked.get(field.input_name) ?? field, answerTo(field), answered))
  const known = new Set(columns.map(({ input_name }) => input_name))
  const others = [...asked.values()].filter((field) => !known.has(field.input_name))
  const given = others.filter((field) => answerTo(field) !== null)
  const rest = given.map((field) => `${field.name}: ${written(field, answerTo(field), answered)}`)
  return [...cells, rest.join('; ')]
}

type Named = Pick<SubmittedAnswers, 'files' | 'labels'>

/** Numbers are decimals of ours, as text. */
function cellOf(field: FormField, answer: unknown, named: Named): Cell {
  const text = written(field, answer, named)
  return ['number', 'computed'].includes(answerKindOf(field.type)) ? { amount: text } : text
}

function written(field: FormField, answer: unknown, { files, labels }: Named): string {
  if (answer === null || answer === undefined) return ''
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no'
  if (Array.isArray(answer)) return answer.map((one) => written(field, one, { files, labels })).join('; ')
  // By name: the database does not preserve the order of the two.
  if (typeof answer === 'object') return `${(answer as DaySpan).from} - ${(answer as DaySpan).to}`
  const text = String(answer)
  const option = field.options.find(({ value }) => value === text)
  const file = files.find(({ _id }) => _id === text)
  const label = Object.hasOwn(labels, text) ? labels[text] : undefined
  return option?.label ?? file?.name ?? label ?? text
}
