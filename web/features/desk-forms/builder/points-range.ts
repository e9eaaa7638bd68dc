import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { answerKindOf } from '@atrium/contract/forms/field-settings.ts'
import { allFields } from '../form-names.ts'

/** The fewest and the most points that any answers add up to, whatever is shown; null where none are given. */
export function pointsRange(definition: FormDefinition): { least: number; most: number } | null {
  const scored = allFields(definition).filter(({ scores }) => Object.keys(scores).length > 0)
  if (scored.length === 0) return null
  const ranges = scored.map(rangeOf)
  return {
    least: ranges.reduce((sum, { least }) => sum + least, 0),
    most: ranges.reduce((sum, { most }) => sum + most, 0),
  }
}

/** Of several choices all good ones count together; of one choice the best. Hidden or left open it counts nothing. */
function rangeOf({ type, scores }: FormField): { least: number; most: number } {
  const points = Object.values(scores)
  if (answerKindOf(type) !== 'choices') return { least: Math.min(0, ...points), most: Math.max(0, ...points) }
  const sum = (wanted: number[]) => wanted.reduce((total, each) => total + each, 0)
  return { least: sum(points.filter((each) => each < 0)), most: sum(points.filter((each) => each > 0)) }
}
