import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { takeTry } from '../foundation/rate-limit.ts'
import { GatewayError } from '../trading-platforms/contract.ts'

/** Enough to set a platform up, too few to scan a network. */
const tries = { name: 'platform-tries', triesMax: 20, windowSeconds: 300 }

/** Tests the saved connection. Problems are part of the answer; without a saved connection nothing is called. */
export async function tryPlatform(actor: Staff, id: string) {
  authorizeStaff(actor, 'workspace.manage')
  await refuseUnknown(actor, id)
  await refuseTooMany(actor)
  await inTransaction(actor, (tx) =>
    audit(tx, actor, { action: 'platform.tried', subject: { kind: 'trading_platform', id } }),
  )
  const link = await actor.context.platforms.link(actor, id)
  const nothing = { reachable: false, authenticated: false, clock_skew_seconds: null, took_ms: 0 }
  if (!link) return { ...nothing, problems: ['not_connected' as const] }
  const before = Date.now()
  const health = await link.gateway.health()
  return {
    reachable: health.reachable,
    authenticated: health.authenticated,
    clock_skew_seconds: health.clockSkewSeconds,
    took_ms: Date.now() - before,
    problems: health.problems,
  }
}

/** The groups of the platform, without those that are never offered. */
export async function listPlatformGroups(actor: Staff, id: string): Promise<{ name: string; currency: string }[]> {
  authorizeStaff(actor, 'workspace.manage')
  await refuseUnknown(actor, id)
  const link = await actor.context.platforms.link(actor, id)
  if (!link) refuse('conflict', deskTexts.platformOff)
  try {
    const groups = await link.gateway.listGroups()
    return groups
      .filter(({ name }) => name.toLowerCase() !== limits.groupNeverOffered)
      .map(({ name, currency }) => ({ name, currency }))
  } catch (problem) {
    if (problem instanceof GatewayError) refuse('unavailable', deskTexts.platformSilent)
    throw problem
  }
}

async function refuseUnknown(actor: Staff, id: string): Promise<void> {
  const row = await reading(actor, (tx) =>
    tx
      .selectFrom('trading_platforms')
      .select('platform_id')
      .where('workspace_id', '=', actor.workspaceId)
      .where('platform_id', '=', id)
      .executeTakeFirst(),
  )
  if (!row) refuseNotFound()
}

async function refuseTooMany(actor: Staff): Promise<void> {
  await takeTry(systemActor(actor.context, actor.workspaceId), tries, actor.workspaceId)
}
