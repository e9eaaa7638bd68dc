import { randomBytes } from 'node:crypto'
import Big from 'big.js'
import type { BalanceReceipt, Decimal } from './contract.ts'

/** `A` and 16 characters: 80 random bits. Short enough to leave room for a word in a 31-character comment. */
export const INTENT_TAG_CHARS = 17

/** Crockford's base 32: no escaping on any platform, case-insensitive, and easy to read aloud. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const pattern = /^A[0-9A-HJKMNP-TV-Z]{16}$/

export function makeIntentTag(): string {
  let text = ''
  for (const byte of randomBytes(16)) text += alphabet.charAt(byte & 31)
  return `A${text}`
}

export function isIntentTag(text: string): boolean {
  return pattern.test(text)
}

/**
 * The tag comes first, because platforms silently cut a long comment at its end. Characters that platforms escape or
 * refuse become spaces: the note is informal and not worth a quoting error in a balance operation.
 */
export function commentWithTag(tag: string, note: string, charsMax: number): string {
  const printable = note.replace(/[^\x20-\x7e]|[=|\\]/g, ' ').trim()
  return printable === '' ? tag : `${tag} ${printable}`.slice(0, charsMax).trimEnd()
}

export function carriesTag(comment: string, tag: string): boolean {
  return comment.slice(0, INTENT_TAG_CHARS).toUpperCase() === tag.toUpperCase()
}

export type ReceiptVerdict =
  | { verdict: 'absent' }
  | { verdict: 'found'; receipt: BalanceReceipt }
  | { verdict: 'incident'; why: 'several' | 'other_amount' }

/** Interprets a look-up by tag for an operation of this signed amount. Compares amounts by value, not as text. */
export function judgeReceipts(receipts: readonly BalanceReceipt[], amount: Decimal): ReceiptVerdict {
  const [first, ...others] = receipts
  if (first === undefined) return { verdict: 'absent' }
  if (others.length > 0) return { verdict: 'incident', why: 'several' }
  if (!new Big(first.amount).eq(amount)) return { verdict: 'incident', why: 'other_amount' }
  return { verdict: 'found', receipt: first }
}
