import { z } from 'zod'
import { limits } from '../limits.ts'
import { openingTexts } from '../openings/texts.ts'
import { countPasswordChars, type PasswordRule } from '../sessions/passwords.ts'
import { texts } from '../texts.ts'

/** A trading platform's own password rules, from its capabilities. */
export const passwordPolicy = z.object({
  min: z.int(),
  max: z.int(),
  classes: z.enum(['lower+upper+digit+special', 'two-of-three']),
  /** Characters that a password may not contain. */
  forbidden: z.string(),
})
export type PasswordPolicy = z.output<typeof passwordPolicy>

/** Rules for every trading password, in display order; the platform may add more. */
export const tradingPasswordRules: PasswordRule[] = [
  {
    name: 'length',
    text: texts.passwordTooShort,
    holds: (password) => countPasswordChars(password) >= limits.passwordCharsMin,
  },
  {
    name: 'letters',
    text: openingTexts.openingPasswordLetters,
    holds: (password) => [/[A-Z]/, /[a-z]/, /\d/].every((wanted) => wanted.test(password)),
  },
]

/** The platform receives the password verbatim, so it is neither trimmed nor normalized. */
export const tradingPassword = z
  .string({ error: openingTexts.openingIncomplete })
  .max(limits.tradingPasswordCharsMax, texts.passwordTooLong.replace('{{count}}', `${limits.tradingPasswordCharsMax}`))
  .superRefine((password, context) => {
    const broken = tradingPasswordRules.filter((rule) => !rule.holds(password)).map((rule) => rule.text)
    if (!password.isWellFormed() || /\p{Cc}/u.test(password)) broken.push(texts.passwordUnreadable)
    for (const message of broken) context.addIssue({ code: 'custom', message })
  })

/**
 * The platform's rules beyond the portal's own; omits those that the portal's rule covers. An empty password breaks only the rules
 * that require characters.
 */
export function platformPasswordRules({ min, max, classes, forbidden }: PasswordPolicy): PasswordRule[] {
  const rules: PasswordRule[] = []
  if (min > limits.passwordCharsMin) {
    const text = openingTexts.openingPasswordTooShort.replace('{{count}}', String(min))
    rules.push({ name: 'platform-length', text, holds: (password) => password.length >= min })
  }
  rules.push({
    name: 'platform-longest',
    text: texts.passwordTooLong.replace('{{count}}', String(max)),
    holds: (password) => password.length <= max,
  })
  if (classes === 'lower+upper+digit+special') {
    rules.push({
      name: 'platform-special',
      text: openingTexts.openingPasswordSpecial,
      holds: (password) => /[^\p{L}\d]/u.test(password),
    })
  }
  if (forbidden !== '') {
    rules.push({
      name: 'platform-forbidden',
      text: openingTexts.openingPasswordForbidden.replace('{{characters}}', [...forbidden].join(' ')),
      holds: (password) => ![...password].some((character) => forbidden.includes(character)),
    })
  }
  return rules
}
