import { z } from 'zod'
import { defineCall } from '../call.ts'
import { logoContent } from '../files/logo-content.ts'
import { limits } from '../limits.ts'
import { currencyCode, plainLine } from '../staff/lists.ts'
import { deskTexts } from '../staff/texts.ts'

/** Payment providers as a brokerage's administrators set them up. */
const ok = z.object({ status: z.literal('ok') })
const access = { access: 'staff', right: 'workspace.manage' } as const

/** What is offered in one currency. The fee comes on top of the amount. */
export const currencyTerms = z.object({
  currency: currencyCode,
  amount_min: z.string().max(40),
  amount_max: z.string().max(40),
  fee_percent: z.string().max(40),
  fee_fixed: z.string().max(40),
})
export type CurrencyTerms = z.output<typeof currencyTerms>

/** One setting as its adapter describes it. The value of a secret goes in and never comes out. */
export const keptSetting = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  is_secret: z.boolean(),
  is_long: z.boolean(),
  choices: z.array(z.string()).nullable(),
  /** What counts where nothing is said. */
  usual: z.string(),
  value: z.string().nullable(),
  /** Of a secret: whether there is one, and since when as far as that is known. */
  is_set: z.boolean(),
  set_at: z.int().nullable(),
})
export type Setting = z.output<typeof keptSetting>

export const paymentFailures = ['declined', 'unavailable', 'misconfigured', 'unknown'] as const

const standing = z.object({
  /** With what is saved it can be connected. */
  is_connected: z.boolean(),
  last_notice_at: z.int().nullable(),
  failed_at: z.int().nullable(),
  failure: z.enum(paymentFailures).nullable(),
  failure_detail: z.string().nullable(),
  open_orders: z.int(),
  for_staff: z.int(),
  /** It answered nothing a few times in a row: until a probe is answered nobody is made to wait for it. */
  is_left_in_peace: z.boolean(),
})

const row = z.object({
  /** Null for one that nobody has added yet. */
  _id: z.uuid().nullable(),
  app_uid: z.string(),
  name: z.string(),
  image_url: z.string().nullable(),
  /** How members read it, where that is another name. */
  title: z.string().nullable(),
  enabled: z.boolean(),
  currencies: z.array(z.string()),
  standing,
})

const provider = z.object({
  _id: z.uuid(),
  app_uid: z.string(),
  name: z.string(),
  image_url: z.string().nullable(),
  /** The logo is one that this workspace has put in the place of the provider's own. */
  has_own_logo: z.boolean(),
  title: z.string().nullable(),
  position: z.int(),
  enabled: z.boolean(),
  version: z.int(),
  /** Where the provider is to send its notifications. */
  notify_url: z.string(),
  /** A simulator of the demo, over plain HTTP. */
  is_simulated: z.boolean(),
  settings: z.array(keptSetting),
  currencies: z.array(currencyTerms),
  standing,
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
/** The one that the form began with: what somebody else has saved since is not overwritten, but answered 409. */
const version = z.int().min(0)
const whole = ok.extend({ provider })

export const readProvider = defineCall({
  method: 'GET',
  path: '/desk/api/providers/:id',
  ...access,
  input: z.object({ id }),
  answer: whole,
})

/** Switched off, and without anything set. */
export const addProvider = defineCall({
  method: 'POST',
  path: '/desk/api/providers/add',
  ...access,
  input: z.object({ app_uid: z.string().max(40) }),
  answer: whole,
})

/** Asks for a fresh proof. A secret that is not given stays as it is, but never goes on to another address. */
export const connectProvider = defineCall({
  method: 'POST',
  path: '/desk/api/providers/:id/connection',
  ...access,
  input: z.object({ id, version, settings: z.record(z.string().max(60), z.string().max(10_000)) }),
  answer: whole,
})

/** What members are offered: under which name and place, whether at all, and on which terms in each currency. */
export const offerProvider = defineCall({
  method: 'POST',
  path: '/desk/api/providers/:id/offer',
  ...access,
  input: z.object({
    id,
    version,
    enabled: z.boolean(),
    title: plainLine(limits.nameCharsMax).nullable(),
    position: z.int().min(0).max(limits.listEntriesMax),
    currencies: z
      .array(currencyTerms)
      .max(limits.listEntriesMax)
      .refine((all) => new Set(all.map(({ currency }) => currency)).size === all.length, deskTexts.listTwice),
  }),
  answer: whole,
})

/** What members see beside the name; with null the logo that comes with the provider. */
export const setProviderLogo = defineCall({
  method: 'POST',
  path: '/desk/api/providers/:id/logo',
  ...access,
  input: z.object({ id, logo: logoContent.nullable() }),
  answer: whole,
})

/** A harmless call with what is saved. What is wrong stands in the answer. */
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
