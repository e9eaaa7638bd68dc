import type { FieldOption, FormField } from '@atrium/contract/forms/definition.ts'

/** Moves an option to the position of another and shifts the others. */
export function moveOption(options: FieldOption[], from: number, to: number): FieldOption[] {
  const option = options[from]
  if (!option || from === to) return options
  return options.toSpliced(from, 1).toSpliced(to, 0, option)
}

/** Points are keyed by option value and follow a changed value. Null removes them; the form's schema rejects invalid points. */
export function putOption(field: FormField, at: number, part: Partial<FieldOption>, score?: number | null): FormField {
  const option = field.options[at]
  if (!option) return field
  const next = { ...option, ...part }
  const options = field.options.with(at, next)
  if (score !== undefined) return { ...field, options, scores: putPoints(field.scores, next.value, score) }
  const isOfOthers = (value: string) => field.options.some((other, index) => index !== at && other.value === value)
  const { [option.value]: points, ...others } = field.scores
  // While typing, the value can briefly equal another option's, whose points must not change.
  if (next.value === option.value || isOfOthers(option.value)) return { ...field, options }
  const isFree = points !== undefined && next.value !== '' && !isOfOthers(next.value)
  return { ...field, options, scores: isFree ? { ...others, [next.value]: points } : others }
}

export function putPoints(scores: FormField['scores'], value: string, points: number | null): FormField['scores'] {
  const { [value]: _, ...others } = scores
  return points === null ? others : { ...others, [value]: points }
}

export function removeOption(field: FormField, at: number): FormField {
  const options = field.options.toSpliced(at, 1)
  const scores = Object.fromEntries(
    Object.entries(field.scores).filter(([value]) => options.some((option) => option.value === value)),
  )
  return { ...field, options, scores }
}

export const scoreOf = ({ scores }: FormField, value: string): number | null =>
  Object.hasOwn(scores, value) ? (scores[value] ?? null) : null
