import { createCipheriv, createDecipheriv } from 'node:crypto'

/**
 * DES in CBC mode, which SDPay uses for its messages. Weak by today's standards, but the content is signed separately.
 */
export type Keys = { key: Buffer; start: Buffer }

/**
 * OpenSSL 3 has no single DES. Triple DES with three equal keys is equivalent, since its second step undoes the first.
 */
const algorithm = 'des-ede3-cbc'

/** Null unless the key has 8 or 24 bytes and the initialization vector 8. */
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

/** Null for a text that was not encrypted with these keys. */
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

/** Accepts canonical base64 only: two spellings of the same bytes must not count as one message. */
function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}
