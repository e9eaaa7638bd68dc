import { createHash, timingSafeEqual } from 'node:crypto'

export type HashName = 'sha256' | 'md5'

/** Lower-case hex over the joined parts, without a separator. */
export function hashOfParts(parts: readonly string[], algorithm: HashName = 'sha256'): string {
  return createHash(algorithm).update(parts.join(''), 'utf8').digest('hex')
}

/** Compares in constant time, and text only: an array or a missing header never matches. */
export function isSameSignature(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false
  return timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1'))
}
