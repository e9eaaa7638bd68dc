import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Seals what the database must hold but nobody who reads it may know: provider and platform secrets. */
export type Seal = { seal(secret: string): Buffer; open(sealed: Buffer): string }

/** AES-256-GCM with a fresh nonce each time: 12 bytes nonce, 16 bytes tag, then the text. */
export function makeSeal(key: string): Seal {
  const secretKey = createHash('sha256').update(key).digest()
  return {
    seal(secret) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', secretKey, nonce)
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', secretKey, sealed.subarray(0, 12))
      decipher.setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}
