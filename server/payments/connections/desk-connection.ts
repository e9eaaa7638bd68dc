import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { fiatCodes } from '@atrium/contract/money/currencies.ts'
import type { connectProvider as connectCall } from '@atrium/contract/payments/providers.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuseFields } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import { notifyAdministrators } from '../../notifications/administrators.ts'
import {
  PaymentProblem,
  type PaymentProvider,
  type ProviderAdapter,
  type SettingFields,
  wrongSettings,
} from '../../payment-providers/contract.ts'
import { refuseInward } from '../../payment-providers/http.ts'
import { findAdapter } from '../../payment-providers/registry.ts'
import { requireProof } from '../../sessions/factors/proof.ts'
import { lockWorkspace } from '../../workspaces/choices.ts'
import { type LockedProvider, lockProvider } from './locked-provider.ts'
import { connectWith, findProvider, type ProviderRow, readConnection, type Settings, selectTerms } from './provider.ts'

/** Adds a registered provider to the workspace, disabled and without settings. */
export async function addProvider(actor: Staff, uid: string): Promise<string> {
  authorizeStaff(actor, 'workspace.manage')
  if (!findAdapter(uid)) refuseFields({ app_uid: [deskTexts.providerUnknown] })
  return inTransaction(actor, async (tx) => {
    await lockWorkspace(tx, actor)
    const earlier = await findProvider(tx, actor, uid)
    if (earlier) return earlier.provider_id
    const provider_id = newId()
    await tx
      .insertInto('payment_providers')
      .values({
        workspace_id: actor.workspaceId,
        provider_id,
        app_uid: uid,
        enabled: false,
        created_at: actor.context.clock.now(),
      })
      .execute()
    await audit(tx, actor, {
      action: 'payment-provider.added',
      subject: { kind: 'payment_provider', id: provider_id },
      after: { provider: uid },
    })
    return provider_id
  })
}

type Given = z.output<(typeof connectCall)['input']>

/**
 * Sets an adapter's connection settings; any change requires a proof of identity, and a changed address requires all
 * secrets again, so that a stored one is never sent to a new address. A single secret can be replaced without disabling
 * the provider.
 */
export async function connectProvider(actor: Staff, { id, version, settings: given }: Given): Promise<void> {
  authorizeStaff(actor, 'workspace.manage')
  await inTransaction(actor, async (tx) => {
    const provider = await lockProvider(tx, actor, id)
    const { adapter, row } = provider
    const current = await readConnection(tx, actor, id)
    const wanted = settingsFrom(adapter.fields, given, current ?? {})
    const replaced = secretsOf(adapter.fields).filter((name) => wanted[name] !== (current?.[name] ?? ''))
    const changed = Object.keys(adapter.fields).filter((name) => wanted[name] !== (current?.[name] ?? ''))
    if (current && changed.length === 0) return
    await requireProof(tx, actor)
    provider.refuseUnless(version)
    refuseWrong(actor, row.app_uid, adapter, { given, wanted, current: current ?? {} })
    const field = changed.find((name) => !isSecret(adapter.fields, name)) ?? 'settings'
    if (row.enabled) await refuseLostCurrencies(tx, actor, row, { current, wanted, field })
    await keep(tx, actor, { id, fields: adapter.fields, settings: wanted, replaced })
    await provider.change({})
    await record(tx, actor, provider, { current, wanted, changed, replaced })
  })
}

type Changed = { current: Settings | null; wanted: Settings; changed: readonly string[]; replaced: readonly string[] }

async function record(tx: Tx, actor: Staff, { row, adapter }: LockedProvider, change: Changed) {
  const { name: provider, fields } = adapter
  const { current, wanted, changed, replaced } = change
  const auditedOf = (settings: Settings | null): Settings =>
    Object.fromEntries(changed.flatMap((name) => (isSecret(fields, name) ? [] : [[name, settings?.[name] ?? '']])))
  await audit(tx, actor, {
    action: 'payment-provider.connection-changed',
    subject: { kind: 'payment_provider', id: row.provider_id },
    before: auditedOf(current),
    after: { ...auditedOf(wanted), secrets_replaced: replaced },
  })
  const labels = changed.map((name) => fields[name]?.label ?? name)
  await notifyAdministrators(tx, actor, {
    did: `changed the connection of the payment provider ${provider}: ${labels.join(', ')}`,
    meaning:
      'Payments that a provider confirms are credited without approval, so its settings decide what is credited.',
  })
}

export const isSecret = (fields: SettingFields, name: string): boolean => fields[name]?.isSecret === true
export const secretsOf = (fields: SettingFields): string[] =>
  Object.keys(fields).filter((name) => isSecret(fields, name))

/** Keeps the adapter's own fields only; an empty secret field keeps the stored secret. */
export function settingsFrom(fields: SettingFields, given: Settings, current: Settings): Settings {
  const wanted = Object.keys(fields).map((name) => {
    const text = Object.hasOwn(given, name) ? (given[name] ?? '') : ''
    if (isSecret(fields, name)) return [name, text === '' ? (current[name] ?? '') : text]
    return [name, text.replaceAll('\r\n', '\n').trim()]
  })
  return Object.fromEntries(wanted)
}

export type SettingsChange = { given: Settings; wanted: Settings; current: Settings }

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

/**
 * Errors found before the adapter runs: invalid values, internal addresses, and missing secrets for a changed address.
 */
export function wrongFieldsOf(
  config: Staff['context']['config'],
  fields: SettingFields,
  { given, wanted, current }: SettingsChange,
): FieldErrors {
  const errors: FieldErrors = {}
  for (const [name, message] of Object.entries(wrongSettings(fields, wanted))) errors[name] = [message]
  for (const [name, text] of Object.entries(wanted))
    if (!errors[name] && !isSecret(fields, name) && isAddress(text) && isInward(config, text))
      errors[name] = [deskTexts.providerAddress]
  if (!isSameListener(fields, current, wanted))
    for (const name of secretsOf(fields)) if (current[name] && !given[name]) errors[name] = [deskTexts.providerSecret]
  return errors
}

type Replaced = { current: Settings | null; wanted: Settings; field: string }

/** Refuses a connection that no longer takes a currency in which members are offered the provider: every deposit would fail. */
async function refuseLostCurrencies(tx: Tx, actor: Staff, row: ProviderRow, { current, wanted, field }: Replaced) {
  const [before, after] = [current, wanted].map((settings) => tryToConnect(actor, row.app_uid, settings))
  const offered = await selectTerms(tx, actor, row.provider_id).select('currency').orderBy('currency').execute()
  // One that was not taken before, or whose connection was broken, must not stop the change of a secret.
  const isLost = (currency: string) => before && !isUntaken(before, currency) && isUntaken(after, currency)
  refuseUntaken(field, offered.map(({ currency }) => currency).filter(isLost))
}

const isUntaken = (provider: PaymentProvider | null | undefined, currency: string): boolean =>
  provider?.takesIn?.(currency) === false

function refuseUntaken(field: string, currencies: readonly string[]): void {
  if (currencies.length === 0) return
  refuseFields({ [field]: [deskTexts.providerCurrency.replace('{{currencies}}', currencies.join(', '))] })
}

/** Runs the adapter's own checks too, so that saved settings are always connectable. */
function refuseWrong(
  { context: { config } }: Staff,
  uid: string,
  adapter: ProviderAdapter,
  change: SettingsChange,
): void {
  const { fields } = adapter
  const errors = wrongFieldsOf(config, fields, change)
  if (Object.keys(errors).length > 0) refuseFields(errors)
  try {
    connectWith({ config }, uid, change.wanted)
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    refuseFields({ [Object.keys(fields)[0] ?? 'settings']: [problem.detail] })
  }
}

/** Checks literal addresses here; host names are checked on every connection (foundation/database/reachable.ts). */
function isInward(config: Staff['context']['config'], address: string): boolean {
  try {
    refuseInward(address, config)
    return false
  } catch (problem) {
    if (problem instanceof PaymentProblem) return true
    throw problem
  }
}

/** Whether every address that receives the secrets is unchanged, taking defaults into account. */
function isSameListener(fields: SettingFields, current: Settings, wanted: Settings): boolean {
  return Object.entries(fields).every(([name, { usual = '' }]) => {
    const [before, after] = [current[name] || usual, wanted[name] || usual]
    return isSecret(fields, name) || before === after || !(isAddress(before) || isAddress(after))
  })
}

type Wanted = { id: string; fields: SettingFields; settings: Settings; replaced: string[] }

async function keep(tx: Tx, actor: Staff, { id, fields, settings, replaced }: Wanted): Promise<void> {
  const key = { workspace_id: actor.workspaceId, provider_id: id }
  const part = (secret: boolean): string =>
    JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([name]) => isSecret(fields, name) === secret)))
  const row = await tx
    .selectFrom('payment_provider_connections')
    .select('secrets_set_at')
    .where('workspace_id', '=', key.workspace_id)
    .where('provider_id', '=', id)
    .executeTakeFirst()
  const now = actor.context.clock.now().toISOString()
  const setAt = {
    ...(row?.secrets_set_at as Record<string, string> | undefined),
    ...Object.fromEntries(replaced.map((name) => [name, now])),
  }
  const values = {
    settings: part(false),
    sealed_secret: actor.context.seal.seal(part(true)),
    secrets_set_at: JSON.stringify(setAt),
    // The recorded failure belongs to the previous settings.
    ...{ failed_at: null, failure: null, failure_detail: null },
  }
  await tx
    .insertInto('payment_provider_connections')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider_id']).doUpdateSet(values))
    .execute()
}

type Offered = { app_uid: string; provider_id: string; currencies: readonly string[] }

/**
 * Refuses to enable a provider that cannot be connected, that is offered to nobody, or in a currency in which every
 * deposit would fail.
 */
export async function refuseUnusable(tx: Tx, actor: Staff, { app_uid, provider_id, currencies }: Offered) {
  const provider = tryToConnect(actor, app_uid, await readConnection(tx, actor, provider_id))
  if (!provider) refuseFields({ enabled: [deskTexts.providerUnconnected] })
  if (currencies.length === 0 && !paysOutSomewhere(provider))
    refuseFields({ enabled: [deskTexts.providerWithoutCurrency] })
  refuseUntaken(
    'currencies',
    currencies.filter((currency) => isUntaken(provider, currency)),
  )
}

/** Whether its connection alone says in which currencies it pays out; otherwise the offered ones do. */
const paysOutSomewhere = ({ payOut, paysOutIn }: PaymentProvider): boolean =>
  payOut !== undefined && fiatCodes.some((currency) => paysOutIn?.(currency) === true)

export const isConnectable = (actor: Staff, uid: string, settings: Settings | null): boolean =>
  tryToConnect(actor, uid, settings) !== null

function tryToConnect({ context }: Staff, uid: string, settings: Settings | null): PaymentProvider | null {
  if (!settings) return null
  try {
    return connectWith(context, uid, settings)
  } catch (problem) {
    if (problem instanceof PaymentProblem) return null
    throw problem
  }
}
