import type { FormField } from '@atrium/contract/forms/definition.ts'
import { allowedValues } from '@atrium/contract/forms/judge-answer.ts'

/** A box more or less. What the form offered once and does not any more has no box to untick: it goes with the next one. */
export function tickOption(field: FormField, chosen: readonly string[], option: string, isOn: boolean): string[] {
  return [...allowedValues(field)].filter((value) => (value === option ? isOn : chosen.includes(value)))
}
