import { createCipheriv, createDecipheriv } from 'node:crypto'

/** DES in blocks that hang together, as SDPay wraps its messages. Weak by today's measure; what counts is signed inside. */
export type Keys = { key: Buffer; start: Buffer }

/**
 * OpenSSL 3 has left single DES behind, and triple DES with the same key three times is the same thing: the second step
 * undoes the first.
 */
const algorithm = 'des-ede3-cbc'

/** Null for what are no keys of theirs: eight bytes, or three times eight, and eight to start with. */
export function keysOf(key1: string, key2: string): Keys | null {
  const [key, start] = [bytesOf(key1), bytesOf(key2)]
  if (start?.length !== 8) return null
  if (key?.length === 8) return { key: Buffer.concat([key, key, key]), start }
  return key?.length === 24 ? { key, start } : null
}

export function seal(text: string, { key, start }: Keys): string {
  const cipher = createCipheriv(algorithm, key, start)
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
}

/** Null for whatever was not sealed with these keys. */
export function open(sealed: string, { key, start }: Keys): string | null {
  const bytes = bytesOf(sealed)
  if (!bytes || bytes.length === 0) return null
  try {
    const decipher = createDecipheriv(algorithm, key, start)
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Written the one way in which base64 writes it: two texts that mean the same bytes are not the same message. */
function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}
