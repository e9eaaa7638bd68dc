import type { z } from 'zod'

/** What an adapter of an identity vendor is, in our own words. */
export type IdentityPerson = {
  /** Ours, and the only name by which the vendor speaks of the member to us. */
  checkId: string
  email: string
  language: string | null
}

export type IdentityStart = {
  applicantId: string
  /** For the vendor's own widget; good for a short while and for this one person. */
  token: string
  /** Where the member goes without a widget. */
  url: string
}

export type IdentityState = 'waiting' | 'retry' | 'approved' | 'rejected'
export type IdentityReport = { state: IdentityState; reason: string | null }

export type RawNotification = { body: Buffer; headers: Readonly<Record<string, string | undefined>> }

/** What a notification proves: nothing, or what the vendor says of one check. A null report is of no meaning to us. */
export type IdentityReading =
  | { isGenuine: false; why: 'unreadable' | 'unsigned' | 'forged' }
  | { isGenuine: true; checkId: string; applicantId: string; at: Date; report: IdentityReport | null }

export type IdentityVendor = {
  start(person: IdentityPerson): Promise<IdentityStart>
  /** Null while nothing was handed in. */
  readReport(applicantId: string): Promise<IdentityReport | null>
  readNotification(received: RawNotification): IdentityReading
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
  /** Throws `misconfigured` where a setting is missing or wrong. */
  connect(settings: VendorSettings, http: VendorHttp, now: () => Date): IdentityVendor
}

/** Why a vendor could not be asked: its fault, ours, or nobody knows whether it heard. */
export class VendorProblem extends Error {
  readonly kind: 'unavailable' | 'misconfigured' | 'unknown'

  constructor(kind: VendorProblem['kind'], detail: string) {
    super(detail)
    this.kind = kind
  }
}

/** Every field with what counts for it; the names of wrong ones with what is said of each. */
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
