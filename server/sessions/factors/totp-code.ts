import { Secret, TOTP } from 'otpauth'

/** What every authenticator app takes: RFC 6238 with SHA-1, six digits, thirty seconds. Some ignore anything else silently. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks of phones differ, and people type slowly: one step to either side, as the RFC advises, and no more. */
const stepsAside = 1

/** 160 bits, as long as the hash, in the letters that people can copy. */
export function makeTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What the picture holds: the brokerage and whose account it is, as the app will list it. */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ ...settings, issuer, label, secret }).toString()
}

/** The step that the code belongs to, or null when it is of none that is near. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...settings, secret })
  const timestamp = now.getTime()
  const aside = totp.validate({ token: code, timestamp, window: stepsAside })
  return aside === null ? null : totp.counter({ timestamp }) + aside
}

/** The code of a moment: what the app would show. For tests and for nothing else. */
export function codeAt(secret: string, now: Date): string {
  return new TOTP({ ...settings, secret }).generate({ timestamp: now.getTime() })
}
