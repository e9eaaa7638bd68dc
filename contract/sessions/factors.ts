/**
 * Second factors on the wire. Passkeys have the JSON shapes of the Web Authentication specification (binary parts in
 * base64url), which the server validates with its library, so these schemas only limit their size.
 */

import { z } from 'zod'
import { limits } from '../limits.ts'
import { latinDigits } from '../money/number-marks.ts'
import { texts } from '../texts.ts'
import { normalizeIdentifier } from '../validators/identifier.ts'

const binary = z.string().max(20_000)
const transports = z.array(z.string().max(30)).max(10)

const credentialReference = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: transports.optional(),
})

/** The browser's request options to sign with an existing passkey. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(credentialReference),
})

/** The browser's creation options for a new passkey. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(credentialReference),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
})

const credential = {
  id: z.string().min(1).max(1_400),
  rawId: z.string().min(1).max(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  /** Ignored. */
  clientExtensionResults: z.object({}).default({}),
}

export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary,
    authenticatorData: binary,
    signature: binary,
    userHandle: z.string().max(200).optional(),
  }),
})

export const passkeyAttestation = z.object({
  ...credential,
  response: z.object({ clientDataJSON: binary, attestationObject: binary, transports: transports.optional() }),
})

/** Allows typed codes in groups or with spaces, and in the digits of any keyboard. */
const typed = (pattern: RegExp, text: string) =>
  z
    .string()
    .max(60, text)
    .transform((entered) => latinDigits(normalizeIdentifier(entered)).replaceAll('-', ''))
    .pipe(z.string().regex(pattern, text))

export const totpCode = typed(/^[0-9]{6}$/, texts.codeWrong)
const recoveryCode = typed(/^[a-z2-7]{16}$/i, texts.recoveryCodeWrong).transform((code) => code.toUpperCase())

/** Exactly one of them. */
export const factorFields = {
  code: totpCode.optional(),
  recovery_code: recoveryCode.optional(),
  passkey: passkeyAssertion.optional(),
}

type FactorEntry = { code?: unknown; recovery_code?: unknown; passkey?: unknown; password?: unknown }

export function namesOneFactor({ code, recovery_code, passkey, password }: FactorEntry): boolean {
  return [code, recovery_code, passkey, password].filter((given) => given !== undefined).length === 1
}

export const ambiguousFactor = { path: ['code'], message: texts.codeWrong }

export const factorMethods = ['code', 'recovery_code', 'passkey'] as const

export const secondFactorAsked = z.object({
  status: z.literal('second_factor_required'),
  second_factor: z.object({
    /** Single use, valid for some minutes (`limits.secondFactorMinutes`), for this user and workspace. */
    challenge: z.string(),
    expires_at: z.int(),
    methods: z.array(z.enum(factorMethods)),
    passkey: passkeyRequest.nullable(),
  }),
})

export const passkeyName = z
  .string({ error: texts.passkeyNameMissing })
  .trim()
  .min(1, texts.passkeyNameMissing)
  .max(limits.passkeyNameCharsMax)
