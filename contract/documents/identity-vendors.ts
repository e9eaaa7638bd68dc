import { z } from 'zod'
import { defineCall } from '../call.ts'
import { keptSetting } from '../payments/providers.ts'

/** Identity vendors as a brokerage's administrators set them up. */
const ok = z.object({ status: z.literal('ok') })
const access = { access: 'staff', right: 'workspace.manage' } as const

const vendor = z.object({
  app_uid: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  version: z.int(),
  /** Where the vendor is to send its webhooks. */
  notify_url: z.string(),
  settings: z.array(keptSetting),
})
export type DeskVendor = z.output<typeof vendor>
const all = ok.extend({ vendors: z.array(vendor) })

export const listIdentityVendors = defineCall({
  method: 'GET',
  path: '/desk/api/identity-vendors',
  ...access,
  input: z.object({}),
  answer: all,
})

/** Asks for a fresh proof. A secret that is not given stays as it is, but never goes on to another address. */
export const changeIdentityVendor = defineCall({
  method: 'POST',
  path: '/desk/api/identity-vendors/change',
  ...access,
  input: z.object({
    app_uid: z.string().max(40),
    /** The one that the form began with: what somebody else has saved since is not overwritten, but answered 409. */
    version: z.int().min(0),
    /** Members are sent to it, and to no other. */
    enabled: z.boolean(),
    settings: z.record(z.string().max(60), z.string().max(10_000)),
  }),
  answer: all,
})
