import { z } from 'zod'
import { features } from '../access/scopes.ts'
import { passwordPolicy } from '../accounts/trading-passwords.ts'
import { defineCall } from '../call.ts'
import { texts } from '../texts.ts'

export const brand = z.object({
  name: z.string(),
  accent: z.string().regex(/^#[0-9a-f]{6}$/i),
  logo_url: z.string().nullable(),
  support_email: z.string().nullable(),
})

export const workspaceSettings = z.object({
  brand,
  features: z.record(z.enum(features), z.boolean()),
  default_currency: z.string(),
  vendors: z.array(z.string()),
  /** The vendor whose brand and settings these are; null for the workspace itself. */
  vendor: z.string().nullable(),
  departments: z.array(z.string()),
  /** Maximum password length at sign-in, reset and change. */
  password_chars_max: z.int(),
  /** Maximum length of account holder and bank name of a bank account; not sent by the previous version. */
  bank_name_chars_max: z.int().optional(),
  /** The brokerage's time zone, in which documents expire. Not sent by the previous version. */
  time_zone: z.string().optional(),
  /** The kinds of accounts that members can open themselves; not sent by the previous version. */
  account_openings: z.object({ live: z.boolean(), demo: z.boolean() }).optional(),
  /** True only in the demo and in development: the web then shows the demo's sign-ins. */
  demo: z.boolean(),
})

/** Readable without a session, since the sign-in screen shows the brand. */
export const readSettings = defineCall({
  method: 'GET',
  path: '/members/crm-settings',
  access: 'anyone',
  input: z.object({ vendor: z.string().max(100).optional() }),
  answer: z.object({ status: z.literal('ok'), settings: workspaceSettings }),
})

const currency = z.object({ code: z.string(), name: z.string(), decimals: z.int() })

/** Fiat currencies and coins separately, each sorted by code. */
export const readCurrencies = defineCall({
  method: 'GET',
  path: '/members/currencies',
  access: 'member',
  input: z.object({}),
  answer: z.object({ status: z.literal('ok'), currencies: z.array(currency), crypto: z.array(currency) }),
})

/** The brokerage's lists of values by entity; empty for an entity without a list. */
export const readTaxonomies = defineCall({
  method: 'GET',
  path: '/members/taxonomies/taxonomies-by-entity',
  access: 'member',
  input: z.object({ entity: z.string().trim().min(1, texts.fieldsMissing).max(60) }),
  answer: z.object({
    status: z.literal('ok'),
    taxonomies: z.array(z.object({ _id: z.string(), name: z.string(), entity: z.string() })),
  }),
})

export const readCountries = defineCall({
  method: 'GET',
  path: '/countries/all',
  access: 'anyone',
  input: z.object({}),
  answer: z.object({
    status: z.literal('ok'),
    countries: z.array(z.object({ _id: z.string(), name: z.string(), alpha_2: z.string() })),
  }),
})

const creationConfiguration = z.object({ enabled: z.boolean(), account_limit: z.int(), require_kyc: z.boolean() })

export const readTradingConfiguration = defineCall({
  method: 'GET',
  path: '/members/trading/configuration',
  access: 'member',
  input: z.object({}),
  answer: z.object({
    status: z.literal('ok'),
    config: z.object({
      platforms: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          type: z.string(),
          groups: z.array(z.object({ name: z.string(), alias: z.string(), kind: z.enum(['live', 'demo']) })),
          /** The platform's password rules beyond the portal's own; null if the platform does not answer. */
          password_policy: passwordPolicy.nullable(),
        }),
      ),
      acc_creation_live_configuration: creationConfiguration,
      acc_creation_demo_configuration: creationConfiguration,
      leverage: z.array(z.int()),
      default_bank_accounts_for_clients: z.array(z.uuid()),
      /** Demo funds that can be added to a demo account per day, in whole units; 0 for none. */
      demo_deposit_daily: z.string(),
    }),
  }),
})
