import { hash, randomBytes } from 'node:crypto'

/** 256 random bits as text for a header or cookie. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of a token. A plain hash is enough, since 256 random bits cannot be guessed. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
