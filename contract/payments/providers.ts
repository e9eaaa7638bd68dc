/** Configuration of payment providers by a brokerage's administrators. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { logoContent } from '../files/logo-content.ts'
import { limits } from '../limits.ts'
import { seenPicture } from '../revision.ts'
import { deskTexts } from '../staff/texts.ts'
import { singleLine } from '../validators/single-line.ts'
import { currencyCode } from '../workspace-settings/lists.ts'

const ok = z.object({ status: z.literal('ok') })
const access = { access: 'staff', right: 'workspace.manage' } as const

/** The terms of one currency. The fee is added to the amount. */
export const currencyTerms = z.object({
  currency: currencyCode,
  amount_min: z.string().max(40),
  amount_max: z.string().max(40),
  fee_percent: z.string().max(40),
  fee_fixed: z.string().max(40),
})
export type CurrencyTerms = z.output<typeof currencyTerms>

/** A setting as its adapter describes it. The value of a secret is write-only. */
export const describedSetting = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  is_secret: z.boolean(),
  is_long: z.boolean(),
  choices: z.array(z.string()).nullable(),
  /** The default. */
  usual: z.string(),
  value: z.string().nullable(),
  /** For a secret: whether it is set, and since when if known. */
  is_set: z.boolean(),
  set_at: z.int().nullable(),
})
export type Setting = z.output<typeof describedSetting>

export const paymentFailures = ['declined', 'unavailable', 'misconfigured', 'unknown'] as const

const health = z.object({
  /** The saved settings are complete enough to connect. */
  is_connected: z.boolean(),
  last_notice_at: z.int().nullable(),
  failed_at: z.int().nullable(),
  failure: z.enum(paymentFailures).nullable(),
  failure_detail: z.string().nullable(),
  open_orders: z.int(),
  for_staff: z.int(),
  /** The circuit is open after consecutive failures: calls fail fast until a probe is answered. */
  is_left_in_peace: z.boolean(),
})

const row = z.object({
  /** Null if it has not been added yet. */
  _id: z.uuid().nullable(),
  app_uid: z.string(),
  name: z.string(),
  image_url: z.string().nullable(),
  /** The name shown to members, if it differs. */
  title: z.string().nullable(),
  enabled: z.boolean(),
  currencies: z.array(z.string()),
  standing: health,
})

const provider = z.object({
  _id: z.uuid(),
  app_uid: z.string(),
  name: z.string(),
  image_url: z.string().nullable(),
  /** The workspace has replaced the provider's logo with its own. */
  has_own_logo: z.boolean(),
  title: z.string().nullable(),
  position: z.int(),
  enabled: z.boolean(),
  version: z.int(),
  /** The address for the provider's webhooks. */
  notify_url: z.string(),
  /** A simulator of the demo, over plain HTTP. */
  is_simulated: z.boolean(),
  settings: z.array(describedSetting),
  currencies: z.array(currencyTerms),
  standing: health,
})
export type DeskProvider = z.output<typeof provider>

export const listProviders = defineCall({
  method: 'GET',
  path: '/desk/api/providers',
  ...access,
  input: z.object({}),
  answer: ok.extend({ providers: z.array(row) }),
})

const id = z.uuid()
/** The version the form was opened with; a newer one is not overwritten, and the call answers 409. */
const version = z.int().min(0)
const whole = ok.extend({ provider })

export const readProvider = defineCall({
  method: 'GET',
  path: '/desk/api/providers/:id',
  ...access,
  input: z.object({ id }),
  answer: whole,
})

/** Adds the provider disabled and without settings. */
export const addProvider = defineCall({
  method: 'POST',
  path: '/desk/api/providers/add',
  ...access,
  input: z.object({ app_uid: z.string().max(40) }),
  answer: whole,
})

/** Requires recent authentication. An omitted secret is unchanged, but is never sent to a changed address. */
export const connectProvider = defineCall({
  method: 'POST',
  path: '/desk/api/providers/:id/connection',
  ...access,
  input: z.object({ id, version, settings: z.record(z.string().max(60), z.string().max(10_000)) }),
  answer: whole,
})

/** Sets what members see: name, position, availability, and the terms in each currency. Requires recent authentication. */
export const offerProvider = defineCall({
  method: 'POST',
  path: '/desk/api/providers/:id/offer',
  ...access,
  input: z.object({
    id,
    version,
    enabled: z.boolean(),
    title: singleLine(limits.nameCharsMax).nullable(),
    position: z.int().min(0).max(limits.listEntriesMax),
    currencies: z
      .array(currencyTerms)
      .max(limits.listEntriesMax)
      .refine((all) => new Set(all.map(({ currency }) => currency)).size === all.length, deskTexts.listTwice),
  }),
  answer: whole,
})

/** Sets the logo beside the name; null restores the provider's own. */
export const setProviderLogo = defineCall({
  method: 'POST',
  path: '/desk/api/providers/:id/logo',
  ...access,
  input: z.object({ id, logo: logoContent.nullable(), seen: seenPicture }),
  answer: whole,
})

/** Makes a harmless call with the saved settings; the answer contains any error. */
export const testProvider = defineCall({
  method: 'POST',
  path: '/desk/api/providers/:id/test',
  ...access,
  input: z.object({ id }),
  answer: ok.extend({
    works: z.boolean(),
    failure: z.enum(paymentFailures).nullable(),
    detail: z.string().nullable(),
    took_ms: z.int(),
  }),
})
