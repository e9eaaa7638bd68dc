import { Secret, TOTP } from 'otpauth'

/** Supported by every authenticator app: RFC 6238 with SHA-1, six digits, thirty seconds. Some ignore other settings silently. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Allows for clock drift and slow typing: one step to either side, as the RFC advises. */
const stepsAside = 1

/** 160 bits, the length of the hash, in base32. */
export function makeTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The content of the QR code: brokerage and account name as the app lists them. */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ ...settings, issuer, label, secret }).toString()
}

/** The step of the code, or null outside the allowed steps. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...settings, secret })
  const timestamp = now.getTime()
  const aside = totp.validate({ token: code, timestamp, window: stepsAside })
  return aside === null ? null : totp.counter({ timestamp }) + aside
}

/** The code at a moment, for tests only. */
export function codeAt(secret: string, now: Date): string {
  return new TOTP({ ...settings, secret }).generate({ timestamp: now.getTime() })
}
