import { type ValidationResult, validatorTexts } from './messages.ts'

/** 0 is very weak, 1 weak, 2 fair, 3 strong. */
export type Strength = 0 | 1 | 2 | 3
export const strengthMin: Strength = 2

const kinds = [/^\p{Ll}$/u, /^\p{Lu}$/u, /^\p{Nd}$/u, /^[^\p{Ll}\p{Lu}\p{Nd}]$/u]
/** More characters do not change the result, so the rest of a very long text is not read. */
const charsRead = 128

/**
 * A rough estimate for password fields. Repeated and sequential characters add nothing; the remaining ones count by
 * length and by the number of character classes.
 */
export function passwordStrength(password: string): Strength {
  const chars = [...password.slice(0, charsRead)]
  const counted = chars.filter((char, index) => !goesOn(chars[index - 1], char))
  const length = Math.min(counted.length, 2 * new Set(counted).size)
  const variety = kinds.filter((kind) => counted.some((char) => kind.test(char))).length
  if (length < 6) return 0
  if ((length >= 12 && variety >= 3) || (length >= 10 && variety === 4) || length >= 20) return 3
  if ((length >= 8 && variety >= 3) || (length >= 10 && variety >= 2) || length >= 14) return 2
  return 1
}

function goesOn(before: string | undefined, char: string): boolean {
  if (before === undefined) return false
  const step = (char.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0)
  return Math.abs(step) <= 1
}

export function validateStrength(password: string, min: Strength = strengthMin): ValidationResult {
  return password === '' || passwordStrength(password) >= min ? null : validatorTexts.strength
}
