import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { answerKindOf } from '@atrium/contract/forms/field-settings.ts'
import { allFields } from '../form-names.ts'

/** The least and most points that any answers can total, ignoring conditions; null for a form without points. */
export function pointsRange(definition: FormDefinition): { least: number; most: number } | null {
  const scored = allFields(definition).filter(({ scores }) => Object.keys(scores).length > 0)
  if (scored.length === 0) return null
  const ranges = scored.map(rangeOf)
  return {
    least: ranges.reduce((sum, { least }) => sum + least, 0),
    most: ranges.reduce((sum, { most }) => sum + most, 0),
  }
}

/** Multiple choices sum all positive or negative points; a single choice takes the best or worst. A blank answer scores 0. */
function rangeOf({ type, scores }: FormField): { least: number; most: number } {
  const points = Object.values(scores)
  if (answerKindOf(type) !== 'choices') return { least: Math.min(0, ...points), most: Math.max(0, ...points) }
  const sum = (wanted: number[]) => wanted.reduce((total, each) => total + each, 0)
  return { least: sum(points.filter((each) => each < 0)), most: sum(points.filter((each) => each > 0)) }
}
