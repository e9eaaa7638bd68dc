import type { z } from 'zod'

/** The contract of an identity vendor's adapter, in our own terms. */
export type IdentityPerson = {
  /** Our id, the only one by which the vendor refers to the member. */
  checkId: string
  email: string
  language: string | null
}

export type IdentityStart = {
  applicantId: string
  /** For the vendor's own widget; short-lived and valid for this member only. */
  token: string
  /** Where the member goes without a widget. */
  url: string
}

export type IdentityState = 'waiting' | 'retry' | 'approved' | 'rejected'
export type IdentityReport = { state: IdentityState; reason: string | null }

export type RawWebhookEvent = { body: Buffer; headers: Readonly<Record<string, string | undefined>> }

/** The content of a webhook event: invalid, or the vendor's report of one check. A null report is irrelevant to us. */
export type IdentityReading =
  | { isGenuine: false; why: 'unreadable' | 'unsigned' | 'forged' }
  | { isGenuine: true; checkId: string; applicantId: string; at: Date; report: IdentityReport | null }

export type IdentityVendor = {
  start(person: IdentityPerson): Promise<IdentityStart>
  /** Null until documents were submitted. */
  readReport(applicantId: string): Promise<IdentityReport | null>
  readWebhookEvent(received: RawWebhookEvent): IdentityReading
  /** One that was proven when it came: its secret may have been replaced since. */
  readProvenEvent(stored: RawWebhookEvent): IdentityReading
}

export type VendorField = {
  label: string
  help: string
  isSecret?: true
  usual?: string
  schema: z.ZodType<string, string>
}
export type VendorFields = Readonly<Record<string, VendorField>>
export type VendorSettings = Readonly<Record<string, string>>

export type VendorHttp = (request: {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
}) => Promise<{ status: number; text: string }>

export type VendorAdapter = {
  name: string
  fields: VendorFields
  /** Throws `misconfigured` when a setting is missing or invalid. */
  connect(settings: VendorSettings, http: VendorHttp, now: () => Date): IdentityVendor
}

/** Why a vendor call failed: the vendor is unavailable, our settings are wrong, or the outcome is unknown. */
export class VendorProblem extends Error {
  readonly kind: 'unavailable' | 'misconfigured' | 'unknown'

  constructor(kind: VendorProblem['kind'], detail: string) {
    super(detail)
    this.kind = kind
  }
}

/** Every setting with its default applied; the invalid ones with an error text each. */
export function readVendorSettings(fields: VendorFields, given: VendorSettings) {
  const settings: Record<string, string> = {}
  const wrong: Record<string, string> = {}
  for (const [name, { schema, usual = '' }] of Object.entries(fields)) {
    const parsed = schema.safeParse(given[name] || usual)
    if (parsed.success) settings[name] = parsed.data
    else wrong[name] = parsed.error.issues[0]?.message ?? 'This value is not accepted.'
  }
  return { settings, wrong }
}
