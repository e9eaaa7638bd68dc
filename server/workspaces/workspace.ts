import { isIP } from 'node:net'
import { defaultFeatures, type Feature, type Features, features } from '@atrium/contract/access/scopes.ts'
import { beneficiaryLimits, knownBankNameCharsMax } from '@atrium/contract/banking/beneficiary-limits.ts'
import { defaultDepositSettings, depositSettings } from '@atrium/contract/deposits/settings.ts'
import { limits } from '@atrium/contract/limits.ts'
import { defaultWithdrawalSettings, withdrawalSettings } from '@atrium/contract/withdrawals/calls.ts'
import { secondFactorRules } from '@atrium/contract/workspace-settings/desk-calls.ts'
import { knownDaysShape } from '@atrium/contract/workspaces/retention.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor, System } from '../foundation/actor.ts'
import { systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { apiLabel, hostName } from './address.ts'

const creationRule = z.object({
  enabled: z.boolean().default(true),
  account_limit: z.int().default(5),
  require_kyc: z.boolean().default(true),
})

const vendorShape = z
  .object({
    name: z.string().min(1).max(120),
    accent: z.string().regex(/^#[0-9a-f]{6}$/i),
    logo_url: z.string().nullable(),
    support_email: z.string().nullable(),
    default_currency: z.string(),
    departments: z.array(z.string()),
  })
  .partial()

/** A plain string is an entry that was never changed. */
const listEntry = z.union([
  z.string().min(1).max(limits.listWordCharsMax),
  z.object({ key: z.string(), name: z.string().min(1).max(limits.listWordCharsMax), archived: z.boolean() }),
])

const secondFactorRule = z.enum(secondFactorRules)

export const ways = withdrawalSettings.shape
const usual = defaultWithdrawalSettings

/** The brokerage's settings; all have defaults, so an empty object is valid. */
const settingsShape = z.object({
  default_currency: z.string().default('USD'),
  acc_creation_live_configuration: creationRule.prefault({}),
  /** Demo accounts need no KYC documents, unless the brokerage requires them. */
  acc_creation_demo_configuration: creationRule.extend({ require_kyc: z.boolean().default(false) }).prefault({}),
  leverage: z.array(z.int().positive()).default([100, 200, 50, 30]),
  default_bank_accounts_for_clients: z.array(z.uuid()).default([]),
  /** The initial balance of a demo account in whole units of its currency; 0 for none. */
  demo_balance: z
    .string()
    .regex(/^\d{1,9}$/)
    .default(limits.demoBalance),
  /** The amount a member may add to a demo account within a day, in whole units. */
  demo_deposit_daily: z
    .string()
    .regex(/^\d{1,9}$/)
    .default(limits.demoDepositDaily),
  /** Used by sign-in, reset and change, so that every accepted password can sign in. */
  password_chars_max: z
    .int()
    .min(limits.loginPasswordCharsMax)
    .max(limits.passwordCharsCeiling)
    .default(limits.loginPasswordCharsMax),
  /** At most the installation's limit (`server/config.ts`), which applies when null. */
  session_idle_minutes: z
    .int()
    .min(limits.sessionIdleMinutesMin)
    .max(limits.sessionIdleMinutesMax)
    .nullable()
    .default(null),
  session_hours_max: z.int().min(1).max(limits.sessionHoursMax).nullable().default(null),
  /** Defaults for every member, overridden by the member's own entries: `key-` denies `key`. */
  default_permissions: z.array(z.string()).default([]),
  /** A vendor's own settings, by its name (`vendors.ts`). */
  vendor_settings: z.record(z.string(), vendorShape).default({}),
  /** The brokerage's own lists, by entity (`contract/workspace-settings/taxonomies.ts`). */
  taxonomies: z.record(z.string(), z.array(listEntry).max(limits.listEntriesMax)).default({}),
  /** No longer offered, but still known. */
  archived_vendors: z.array(z.string()).default([]),
  archived_departments: z.array(z.string()).default([]),
  /** Who must have a second factor: a session without one can only set one up. */
  second_factor_members: secondFactorRule.default('optional'),
  second_factor_staff: secondFactorRule.default('required'),
  /** Whether withdrawals are held after a changed password, name, email or phone, or a removed second factor. */
  hold_withdrawals: z.boolean().default(true),
  /** The cooling-off period of a new or changed beneficiary; 0 for none. */
  destination_rest_hours: z
    .int()
    .min(0)
    .max(beneficiaryLimits.beneficiaryCoolingOffHoursMax)
    .default(beneficiaryLimits.beneficiaryCoolingOffHours),
  bank_name_chars_max: knownBankNameCharsMax,
  ...knownDaysShape,
  withdrawal_four_eyes: ways.withdrawal_four_eyes.default(usual.withdrawal_four_eyes),
  withdrawal_four_eyes_above: ways.withdrawal_four_eyes_above.default(usual.withdrawal_four_eyes_above),
  deposit_second_approval: depositSettings.shape.deposit_second_approval.default(
    defaultDepositSettings.deposit_second_approval,
  ),
  deposit_second_approval_above: depositSettings.shape.deposit_second_approval_above.default(
    defaultDepositSettings.deposit_second_approval_above,
  ),
  deposit_needs_identity: depositSettings.shape.deposit_needs_identity.default(
    defaultDepositSettings.deposit_needs_identity,
  ),
  deposit_needs_identity_above: depositSettings.shape.deposit_needs_identity_above.default(
    defaultDepositSettings.deposit_needs_identity_above,
  ),
  withdrawal_hold_hours: ways.withdrawal_hold_hours.default(usual.withdrawal_hold_hours),
  withdrawal_proof: ways.withdrawal_proof.default(usual.withdrawal_proof),
  withdrawal_return_to_source: ways.withdrawal_return_to_source.default(usual.withdrawal_return_to_source),
  withdrawal_needs_identity: ways.withdrawal_needs_identity.default(usual.withdrawal_needs_identity),
  withdrawal_cut_off: ways.withdrawal_cut_off.default(usual.withdrawal_cut_off),
  withdrawal_rules: ways.withdrawal_rules.default(usual.withdrawal_rules),
  withdrawal_coins: ways.withdrawal_coins.default(usual.withdrawal_coins),
})

export type Workspace = {
  workspaceId: string
  subdomain: string
  isDefault: boolean
  name: string
  accent: string
  logoUrl: string | null
  supportEmail: string | null
  features: Features
  vendors: string[]
  departments: string[]
  settings: z.output<typeof settingsShape>
}

/** The workspace label in the name of a host; null for the bare domain, an IP address or another domain. */
function workspaceLabel(name: string, domain: string): string | null {
  if (name.startsWith('[') || isIP(name) !== 0 || !name.endsWith(`.${domain}`)) return null
  const label = name.slice(0, -(domain.length + 1))
  return label === 'www' ? null : label
}

/** Workspace ids never change, so results are cached, but briefly: a new address must not seem absent for long. */
const cachedForMs = 10_000
type Cached = { id: string; until: number }
const cacheOf = new WeakMap<Context, Map<string, Cached>>()
/** Concurrent lookups of a host share one query, so that a flood of requests takes one connection. */
const lookups = new WeakMap<Context, Map<string | null, Promise<string | null>>>()

/** The workspace of a request's host, as a system actor; null for an unknown host. */
export async function findWorkspace(context: Context, host: string | undefined): Promise<System | null> {
  const name = hostName(host)
  if (name === null) return null
  const called = apiLabel(context.config, host)
  const label = called === undefined ? workspaceLabel(name, context.config.domain) : called
  const cache = cacheOf.get(context) ?? new Map<string, Cached>()
  cacheOf.set(context, cache)
  const known = cache.get(label ?? '')
  const now = context.clock.now().getTime()
  if (known && known.until > now) return systemActor(context, known.id)
  const id = await lookUpOnce(context, label)
  if (!id) return null
  cache.set(label ?? '', { id, until: now + cachedForMs })
  return systemActor(context, id)
}

function lookUpOnce(context: Context, label: string | null): Promise<string | null> {
  const running = lookups.get(context) ?? new Map<string | null, Promise<string | null>>()
  lookups.set(context, running)
  const found = running.get(label) ?? lookUp(context, label).finally(() => running.delete(label))
  running.set(label, found)
  return found
}

async function lookUp(context: Context, label: string | null): Promise<string | null> {
  const found = await sql<{ id: string | null }>`select find_workspace(${label}::text) as id`.execute(
    context.database.kysely,
  )
  return found.rows[0]?.id ?? null
}

/** A feature is on only when stored as `true`; any other value turns it off, and a missing one means the default. */
export function readFeatures(stored: unknown): Features {
  const chosen = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}
  const isOn = (feature: Feature): boolean => (feature in chosen ? chosen[feature] === true : defaultFeatures[feature])
  return Object.fromEntries(features.map((feature) => [feature, isOn(feature)])) as Features
}

export function readSettings(stored: unknown): Workspace['settings'] {
  return settingsShape.parse(stored)
}

/** Caches the parsed values of up to 300 texts. */
function readOnce<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const earlier = known.get(text)
    if (earlier !== undefined) return earlier
    const value = read(text)
    if (known.size >= 300) known.clear()
    known.set(text, value)
    return value
  }
}

/** Parses a column that was selected as text; an unchanged text is not parsed again. */
export const readSettingsText = readOnce((text) => readSettings(JSON.parse(text)))
export const readFeaturesText = readOnce((text) => readFeatures(JSON.parse(text)))

const ownWorkspace = prepareStatement('workspace', (tx: Tx, { workspaceId }: { workspaceId: string }) =>
  tx
    .selectFrom('workspaces')
    .select(['workspace_id', 'subdomain', 'is_default', 'name', 'accent', 'logo_url', 'support_email'])
    .select(['vendors', 'departments'])
    .select(sql<string>`features::text`.as('features'))
    .select(sql<string>`settings::text`.as('settings'))
    .where('workspace_id', '=', workspaceId),
)

export async function readWorkspace(tx: Tx, { workspaceId }: Actor): Promise<Workspace> {
  const [row] = (await ownWorkspace(tx, { workspaceId })).rows
  if (!row) throw new Error('There is no such workspace.')
  return {
    workspaceId: row.workspace_id,
    subdomain: row.subdomain,
    isDefault: row.is_default,
    name: row.name,
    accent: row.accent,
    logoUrl: row.logo_url,
    supportEmail: row.support_email,
    features: readFeaturesText(row.features),
    vendors: row.vendors,
    departments: row.departments,
    settings: readSettingsText(row.settings),
  }
}

/** Starts to read the settings, which are awaited only where they are used: together with what is read until then. */
export function startSettings(tx: Tx, actor: Actor): Promise<Workspace['settings']> {
  const settings = readWorkspace(tx, actor).then((workspace) => workspace.settings)
  // Prevents an unhandled rejection if they are never awaited.
  settings.catch(() => undefined)
  return settings
}
