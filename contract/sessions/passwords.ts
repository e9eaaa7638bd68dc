import { z } from 'zod'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'

/** People count characters, not the halves that an emoji is stored in, nor a letter and its accent. */
export function countPasswordChars(password: string): number {
  return [...password.normalize('NFC')].length
}

export type PasswordRule = { name: string; text: string; holds(password: string): boolean }

/** What a new password must have, in the order a form ticks it off. Its greatest length is the workspace's own setting. */
export const passwordRules: PasswordRule[] = [
  {
    name: 'length',
    text: texts.passwordTooShort,
    holds: (password) => countPasswordChars(password) >= limits.passwordCharsMin,
  },
  { name: 'uppercase', text: texts.passwordUppercase, holds: (password) => /\p{Lu}/u.test(password) },
  { name: 'digit', text: texts.passwordDigit, holds: (password) => /\p{Nd}/u.test(password) },
]

/** Devices spell the same letters differently: é is one code point or two. What is compared and kept is one of them. */
const newPassword = z
  .string({ error: texts.passwordMissing })
  .normalize('NFC')
  .superRefine((password, context) => {
    const broken = passwordRules.filter((rule) => !rule.holds(password)).map((rule) => rule.text)
    // Half a character is stored as a question mark, and then any other half would sign in too.
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

export const unlikeConfirmation = { path: ['password_confirmation'], message: texts.passwordConfirmation }
