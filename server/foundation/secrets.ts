import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Seals what the database must hold but nobody who reads it may know: provider and platform secrets. */
export type Seal = {
  seal(secret: string): Buffer
  /** Throws for what none of the keys has sealed. */
  open(sealed: Buffer): string
  /** Whether the key that seals now has sealed it; what another key opens is to be sealed anew. */
  isCurrent(sealed: Buffer): boolean
}

/**
 * AES-256-GCM with a fresh nonce each time: 12 bytes nonce, 16 bytes tag, then the text. The first key seals, and each of
 * them opens what it sealed; the tag tells whose it is. So a key is changed while several processes run, old and new.
 */
export function makeSeal(key: string, otherKeys: readonly string[] = []): Seal {
  const [current, ...others] = [key, ...otherKeys].map((each) => createHash('sha256').update(each).digest())
  if (!current) throw new Error('There is no key.')
  return {
    seal(secret) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current, nonce)
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      for (const each of [current, ...others]) {
        const opened = tryToOpen(sealed, each)
        if (opened !== null) return opened
      }
      throw new Error('None of the keys opens this')
    },
    isCurrent: (sealed) => tryToOpen(sealed, current) !== null,
  }
}

function tryToOpen(sealed: Buffer, key: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  const body = decipher.update(sealed.subarray(28))
  try {
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  } catch {
    return null // Sealed by another key, or not as it was sealed: the tag does not say which.
  }
}
