/**
 * Both sides prove that they know the API password. Hashes are over raw bytes: hashing hex text, UTF-8 passwords or a
 * challenge converted to a number (which loses leading zeros) only results in a 403.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()

export function webApiKey(password: string): Buffer {
  return md5(md5(Buffer.from(password, 'utf16le')), Buffer.from('WebAPI', 'latin1'))
}

export function challengeAnswer(key: Buffer, randHex: string): string {
  return md5(key, Buffer.from(randHex, 'hex')).toString('hex')
}

export function makeChallenge(): string {
  return randomBytes(16).toString('hex')
}

export function isChallenge(text: string): boolean {
  return /^[0-9a-f]{32}$/i.test(text)
}

export function provesKey(key: Buffer, challengeHex: string, answerHex: string): boolean {
  const wanted = Buffer.from(challengeAnswer(key, challengeHex), 'hex')
  const given = Buffer.from(answerHex, 'hex')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
