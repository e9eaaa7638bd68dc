/** Configuration of identity vendors by a brokerage's administrators. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { describedSetting } from '../payments/providers.ts'

const ok = z.object({ status: z.literal('ok') })
const access = { access: 'staff', right: 'workspace.manage' } as const

const vendor = z.object({
  app_uid: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  version: z.int(),
  /** The address for the vendor's webhooks. */
  notify_url: z.string(),
  settings: z.array(describedSetting),
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

/** Requires recent authentication. An omitted secret is unchanged, but is never sent to a changed address. */
export const changeIdentityVendor = defineCall({
  method: 'POST',
  path: '/desk/api/identity-vendors/change',
  ...access,
  input: z.object({
    app_uid: z.string().max(40),
    /** The version the form was opened with; a newer one is not overwritten, and the call answers 409. */
    version: z.int().min(0),
    /** At most one vendor is enabled, and members are sent to it. */
    enabled: z.boolean(),
    settings: z.record(z.string().max(60), z.string().max(10_000)),
  }),
  answer: all,
})
