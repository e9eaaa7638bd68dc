import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

export type StoredPasswords = { salt: string; main_hash: string; investor_hash: string }

/** Cheap parameters: these protect only demo accounts, and tests create many. */
const cost = { N: 1024, r: 8, p: 1 }

export function hashPasswords(main: string, investor: string): StoredPasswords {
  const salt = randomBytes(16).toString('hex')
  return { salt, main_hash: hashPassword(main, salt), investor_hash: hashPassword(investor, salt) }
}

export function hashPassword(password: string, salt: string): string {
  return scryptSync(password, salt, 32, cost).toString('hex')
}

export function isPassword(user: StoredPasswords, which: 'main' | 'investor', password: string): boolean {
  return isHashOf(which === 'main' ? user.main_hash : user.investor_hash, password, user.salt)
}

export const isHashOf = (hash: string, password: string, salt: string): boolean =>
  timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(hashPassword(password, salt), 'hex'))

export type PasswordRule = { min: number; max: number; classes: 'four' | 'two-of-three' }

export function isGoodPassword(password: string, rule: PasswordRule): boolean {
  if (password.length < rule.min || password.length > rule.max) return false
  const lower = /\p{Ll}/u.test(password)
  const upper = /\p{Lu}/u.test(password)
  const digit = /\d/.test(password)
  const special = /[^\p{L}\d]/u.test(password)
  if (rule.classes === 'four') return lower && upper && digit && special
  return [lower, upper, digit].filter(Boolean).length >= 2
}
