import { isBlank, type ValidationResult, validatorTexts } from './messages.ts'

export function validateRequired(value: unknown): ValidationResult {
  return isBlank(value) ? validatorTexts.required : null
}

/** Required once the other field is filled. */
export function validateRequiredIf(value: unknown, other: unknown): ValidationResult {
  return isBlank(value) && !isBlank(other) ? validatorTexts.requiredIf : null
}

type DuplicateRule = { isCaseSensitive: boolean }

/** `others` are the values of the other fields, without this one. */
export function validateUnique(value: string, others: readonly string[], rule: DuplicateRule): ValidationResult {
  // Upper case first: lower case alone does not equate the German sharp s or the two Greek sigmas.
  const asCompared = (text: string) => {
    const normalized = text.trim().normalize('NFC')
    return rule.isCaseSensitive ? normalized : normalized.toUpperCase().toLowerCase()
  }
  if (isBlank(value)) return null
  return others.some((other) => asCompared(other) === asCompared(value)) ? validatorTexts.duplicate : null
}

type ChosenRange = { min?: number; max?: number }

/** Checks the number of selected choices; returns the numbers beside the text, since translation needs them apart. */
export function validateCount(
  count: number,
  { min = 0, max = Number.POSITIVE_INFINITY }: ChosenRange,
): { text: string; values: { min: number; max: number } } | null {
  if (count >= min && count <= max) return null
  const values = { min, max }
  if (min > 0 && min === max) return { text: validatorTexts.chosenExactly, values }
  if (min > 0 && max !== Number.POSITIVE_INFINITY) return { text: validatorTexts.chosenBetween, values }
  return { text: count < min ? validatorTexts.chosenTooFew : validatorTexts.chosenTooMany, values }
}
