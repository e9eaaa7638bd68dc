import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { connectPlatform as connectCall } from '@atrium/contract/platforms/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { isReachable } from '../foundation/database/reachable.ts'
import { assertState, refuseFields } from '../foundation/errors.ts'
import { notifyAdministrators } from '../notifications/administrators.ts'
import { describeProblem } from '../observability/log.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import type { PlatformKind } from '../trading-platforms/contract.ts'
import { lockPlatform } from '../trading-platforms/locked-platform.ts'
import { platformSettings } from '../trading-platforms/registry.ts'
import {
  describeConnection,
  fieldOf,
  isSameListener,
  type Settings,
  secretNames,
  settingsFrom,
  type Timing,
  timingOf,
} from './connection-fields.ts'

type Given = z.output<(typeof connectCall)['input']>
type StoredConnection = { settings: Settings; secret: Settings; timing: Timing }

/**
 * Changes how a platform is reached. The stored secret must not be sent to a new recipient, so another address, login
 * or certificate requires the secret again; every change requires a recent proof of identity.
 */
export async function connectPlatform(actor: Staff, { id, version, enabled, secret, ...given }: Given): Promise<void> {
  authorizeStaff(actor, 'workspace.manage')
  await inTransaction(actor, async (tx) => {
    const platform = await lockPlatform(tx, actor, id)
    const kind = platform.row.type as PlatformKind
    const current = await readConnection(tx, actor, id)
    const settings = settingsFrom(kind, given, current?.settings ?? {})
    const newSecret = secret === null || secret === '' ? null : { [secretNames[kind]]: secret }
    const timing = timingOf(given)
    const isUnchanged = current && isEqual(current.settings, settings) && isEqual(current.timing, timing)
    const isSame = isUnchanged && platform.row.enabled === enabled
    if (isSame && (newSecret === null || isEqual(current.secret, newSecret))) return
    await requireProof(tx, actor)
    platform.refuseUnless(version)
    refuseAddress(actor, settings)
    if (settings.caPem !== current?.settings.caPem) refuseCertificate(settings.caPem)
    if (given.lease_ms <= given.connect_ms + given.write_ms) refuseFields({ lease_ms: [deskTexts.leaseTooShort] })
    if (newSecret === null && !(current && isSameListener(current.settings, settings)))
      refuseFields({ secret: [current ? deskTexts.platformSecret : texts.fieldsMissing] })
    const whole = newSecret ?? current?.secret
    assertState(whole, 'a connection without a secret')
    refuseWrong(kind, settings, whole)
    await keep(tx, actor, { id, settings, timing, secret: whole, enabled })
    await platform.bump(tx)
    await audit(tx, actor, {
      action: 'platform.connection-changed',
      subject: { kind: 'trading_platform', id },
      before: {
        ...describeConnection(current?.settings ?? null, current?.timing ?? timing).connection,
        enabled: platform.row.enabled,
      },
      after: { ...describeConnection(settings, timing).connection, enabled, secret_replaced: newSecret !== null },
    })
    await notifyAdministrators(tx, actor, {
      did: `changed the connection of the trading platform ${platform.row.name}`,
      meaning: 'The server at its address receives credits and debits, and says what every account holds.',
    })
  })
  // In this process now; the others find out within a second (trading-platforms/platform-connections.ts).
  await endStaleHere(actor)
}

/** The change is saved, so a failure here does not fail the call. */
async function endStaleHere({ context: { platforms, log }, workspaceId }: Staff): Promise<void> {
  try {
    await platforms.endStale(workspaceId)
  } catch (problem) {
    log.error({ err: describeProblem(problem) }, 'connections to platforms not checked')
  }
}

async function readConnection(tx: Tx, actor: Staff, platformId: string): Promise<StoredConnection | null> {
  const row = await tx
    .selectFrom('platform_connections')
    .select(['settings', 'sealed_secret', 'settle_ms', 'look_again_ms', 'lease_ms'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('platform_id', '=', platformId)
    .executeTakeFirst()
  if (!row) return null
  return {
    settings: row.settings as Settings,
    timing: timingOf(row),
    secret: JSON.parse(actor.context.seal.open(row.sealed_secret)) as Settings,
  }
}

/**
 * Administrators of a workspace must not reach the operator's network. The literal address is checked here for a clear
 * message; resolved addresses are checked on each connection (foundation/database/reachable.ts).
 */
function refuseAddress({ context: { config } }: Staff, settings: Settings): void {
  const address = String(settings.baseUrl ?? '')
  if (!URL.canParse(address)) refuseFields({ base_url: [deskTexts.platformAddress] })
  const { hostname, protocol } = new URL(address)
  // Only the demo sets up a simulator, and it works only while the demo runs.
  const isSimulator = settings.allowPlainHttp === true && !config.production
  if (protocol !== 'https:' && !isSimulator) refuseFields({ base_url: [deskTexts.platformAddress] })
  if (config.production) delete settings.allowPlainHttp
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isReachable(config, host)) refuseFields({ base_url: [deskTexts.platformAddressPrivate] })
}

const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * TLS ignores what it cannot read here, and the platform would then be unreachable without a reason. A private key
 * beside the certificate would be shown at the desk and in the audit log.
 */
function refuseCertificate(pem: unknown): void {
  if (typeof pem !== 'string') return
  const whole = pem.match(certificates) ?? []
  const isBare = pem.replace(certificates, '').trim() === ''
  if (whole.length === 0 || !isBare || !whole.every(isCertificate))
    refuseFields({ ca_pem: [deskTexts.platformCertificate] })
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** Validates with the adapter's own schema, so that saved settings can be used. */
function refuseWrong(kind: PlatformKind, settings: Settings, secret: Settings): void {
  const parsed = platformSettings(kind).safeParse({ ...settings, ...secret })
  if (parsed.success) return
  const errors: Record<string, string[]> = {}
  for (const { path, message } of parsed.error.issues) errors[fieldOf(path, kind)] = [message]
  refuseFields(errors)
}

type Wanted = { id: string; settings: Settings; timing: Timing; secret: Settings; enabled: boolean }

async function keep(tx: Tx, actor: Staff, { id, settings, timing, secret, enabled }: Wanted): Promise<void> {
  const key = { workspace_id: actor.workspaceId, platform_id: id }
  const values = {
    ...timing,
    settings: JSON.stringify(settings),
    sealed_secret: actor.context.seal.seal(JSON.stringify(secret)),
  }
  await tx
    .insertInto('platform_connections')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'platform_id']).doUpdateSet(values))
    .execute()
  await tx
    .updateTable('trading_platforms')
    .set({ enabled })
    .where('workspace_id', '=', key.workspace_id)
    .where('platform_id', '=', id)
    .execute()
}

const isEqual = (left: object, right: object): boolean => JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))

/** PostgreSQL reorders the keys of JSON objects. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}
