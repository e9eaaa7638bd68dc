import type { FormField } from '@atrium/contract/forms/definition.ts'
import { allowedValues } from '@atrium/contract/forms/judge-answer.ts'

/** Adds or removes an option. Values that the form no longer offers have no checkbox, so every change drops them. */
export function tickOption(field: FormField, chosen: readonly string[], option: string, isOn: boolean): string[] {
  return [...allowedValues(field)].filter((value) => (value === option ? isOn : chosen.includes(value)))
}
