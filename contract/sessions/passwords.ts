import { z } from 'zod'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'

/** Counts visible characters: an emoji as one, and a letter with its accent as one. */
export function countPasswordChars(password: string): number {
  return [...password.normalize('NFC')].length
}

export type PasswordRule = { name: string; text: string; holds(password: string): boolean }

/** Rules for a new password, in display order. The maximum length is a workspace setting. */
export const passwordRules: PasswordRule[] = [
  {
    name: 'length',
    text: texts.passwordTooShort,
    holds: (password) => countPasswordChars(password) >= limits.passwordCharsMin,
  },
  { name: 'uppercase', text: texts.passwordUppercase, holds: (password) => /\p{Lu}/u.test(password) },
  { name: 'digit', text: texts.passwordDigit, holds: (password) => /\p{Nd}/u.test(password) },
]

/** Devices encode é as one code point or two; comparison and storage use NFC. */
const newPassword = z
  .string({ error: texts.passwordMissing })
  .normalize('NFC')
  .superRefine((password, context) => {
    const broken = passwordRules.filter((rule) => !rule.holds(password)).map((rule) => rule.text)
    // A lone surrogate would be hashed as a replacement character, so that any other one would match too.
    if (!password.isWellFormed()) broken.push(texts.passwordUnreadable)
    for (const message of broken) context.addIssue({ code: 'custom', message })
  })

export const newPasswordFields = {
  password: newPassword,
  password_confirmation: z.string().normalize('NFC').default(''),
}

/** For an object with the two fields: the confirmation is the same. */
export function isConfirmed(input: { password: string; password_confirmation: string }): boolean {
  return input.password === input.password_confirmation
}

export const confirmationMismatch = { path: ['password_confirmation'], message: texts.passwordConfirmation }
