import type { z } from 'zod'
import type { SettingField, SettingFields } from '../payment-providers/contract.ts'
import { hostOfPage, isListedPage } from '../payment-providers/page-address.ts'
import { pageHostsSetting } from '../payment-providers/setting-kinds.ts'

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

type VendorFields = Readonly<Record<string, SettingField & { schema: z.ZodType<string, string> }>>
export type VendorSettings = Readonly<Record<string, string>>

export type VendorHttp = (request: {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
}) => Promise<{ status: number; text: string }>

export type VendorAdapter = {
  name: string
  fields: SettingFields
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

/**
 * An adapter from its own parts. It declares where its pages are, and a brokerage may list a host of its own: every page
 * in an answer is held to that list, so that no adapter can forget it.
 */
export function defineVendor<const Fields extends VendorFields>(vendor: {
  name: string
  pageHosts: string
  fields: Fields
  connect(settings: Record<keyof Fields, string>, http: VendorHttp, now: () => Date): IdentityVendor
}): VendorAdapter {
  const { pageHosts, ...adapter } = vendor
  const fields = { ...adapter.fields, page_hosts: { ...pageHostsSetting(pageHosts), label: 'Hosts of their pages' } }
  return {
    ...adapter,
    fields,
    connect(given, http, now) {
      const settings = readVendorSettings(adapter.fields, given)
      const hosts = fields.page_hosts.schema.safeParse(given.page_hosts || pageHosts)
      if (!hosts.success) throw new VendorProblem('misconfigured', 'settings: page_hosts')
      const origins = hosts.data.map((host) => `https://${host}`)
      const connected = adapter.connect(settings as Record<keyof Fields, string>, http, now)
      return {
        ...connected,
        async start(person) {
          const started = await connected.start(person)
          if (isListedPage(started.url, origins, true)) return started
          throw new VendorProblem(
            'misconfigured',
            `the page is on a host that is not listed: ${hostOfPage(started.url)}`,
          )
        },
      }
    },
  }
}

/** Every setting with its default applied. */
function readVendorSettings(fields: VendorFields, given: VendorSettings): Record<string, string> {
  const read = Object.entries(fields).map(
    ([name, { schema, usual = '' }]) => [name, schema.safeParse(given[name] || usual)] as const,
  )
  const wrong = read.filter(([, { success }]) => !success).map(([name]) => name)
  if (wrong.length > 0) throw new VendorProblem('misconfigured', `settings: ${wrong.join(', ')}`)
  return Object.fromEntries(read.map(([name, { data = '' }]) => [name, data]))
}
