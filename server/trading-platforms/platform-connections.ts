import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { type Actor, type System, systemActor } from '../foundation/actor.ts'
import type { CircuitState } from '../foundation/circuit.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { guardedLookup, isReachable } from '../foundation/database/reachable.ts'
import { onceProven } from '../foundation/pending-proof.ts'
import { describeProblem } from '../observability/log.ts'
import { openKeyedQueues } from '../queue/keyed-queues.ts'
import type { GuardedGateway } from './breaker.ts'
import type { PlatformKind, TradingGateway } from './contract.ts'
import { connectGuarded } from './registry.ts'

export type PlatformTiming = { settleMs: number; lookAgainMs: number; leaseMs: number }
/** What was requested before `openedAt` may have run before a restore: see `funding/crediting/lost-operations.ts`. */
export type PlatformLink = { gateway: TradingGateway; timing: PlatformTiming; openedAt: Date }

/** Open connections to trading platforms, one per platform and process. Their settings are in the database only. */
export type Platforms = {
  /** Null when the workspace has no such platform or disabled it. Waits for the proof of a remembered person. */
  link(actor: Actor, platformId: string): Promise<PlatformLink | null>
  /** Runs a task in the platform's queue; `key` identifies its subject. */
  runQueued(actor: Actor, platformId: string, key: string, work: () => Promise<void>): Promise<void>
  /** Its health without a call; null while this process has no connection to it. */
  circuitState(actor: Actor, platformId: string): CircuitState | null
  close(): Promise<void>
}

type OpenPlatform = { fingerprint: string; gateway: GuardedGateway; openedAt: Date }

export function openPlatforms(contextOf: () => Context): Platforms {
  const kept = new Map<string, OpenPlatform>()
  const queues = openKeyedQueues()

  /** Synchronous between look-up and store, so that concurrent callers never open two connections. */
  function connectionFor(system: System, row: ConnectionRow): OpenPlatform {
    const key = `${system.workspaceId}/${row.platform_id}`
    const { config, log, seal } = system.context
    const settings = { ...(row.settings as object), ...(JSON.parse(seal.open(row.sealed_secret)) as object) }
    // A hash of the opened settings, not of the sealed ones: a reseal must not reconnect while credits are in flight.
    const fingerprint = createHash('sha256').update(JSON.stringify(settings)).digest('hex')
    const earlier = kept.get(key)
    if (earlier?.fingerprint === fingerprint) return earlier
    if (config.production) refuseSimulator(settings)
    refuseInward(config, settings)
    const about = { workspace: system.workspaceId, platform: row.platform_id }
    const gateway = connectGuarded(row.type as PlatformKind, settings, {
      log: log.child(about),
      lookup: guardedLookup(config),
    })
    const opened = { fingerprint, gateway, openedAt: system.context.clock.now() }
    kept.set(key, opened)
    // The settings changed: callers on the old connection fail and request the link again.
    earlier?.gateway.close().catch((problem) => log.warn({ err: describeProblem(problem) }, 'platform not closed'))
    return opened
  }

  return {
    async link(actor, platformId) {
      const system = systemActor(contextOf(), actor.workspaceId)
      const row = await onceProven(() => readConnection(system, platformId))
      if (!row) return null
      const timing = { settleMs: row.settle_ms, lookAgainMs: row.look_again_ms, leaseMs: row.lease_ms }
      const { gateway, openedAt } = connectionFor(system, row)
      return { gateway, timing, openedAt }
    },
    runQueued: (actor, platformId, key, work) => queues.run(`${actor.workspaceId}/${platformId}`, key, work),
    circuitState: (actor, platformId) => kept.get(`${actor.workspaceId}/${platformId}`)?.gateway.circuitState() ?? null,
    async close() {
      const underWay = queues.stop()
      await Promise.race([underWay, patience(graceMs)])
      const gateways = [...kept.values()]
      kept.clear()
      await Promise.all(gateways.map(({ gateway }) => gateway.close()))
      // Tasks that were cut off still record their outcome.
      await underWay
    },
  }
}

/** Time for running tasks to end by themselves when the process stops. */
const graceMs = 10_000

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

/** Only simulators use plain HTTP, and their money is not real. */
function refuseSimulator(settings: object): void {
  if ('allowPlainHttp' in settings && settings.allowPlainHttp === true)
    throw new Error('A platform over plain HTTP is a simulator, and production connects to none.')
}

/** A literal address needs no name resolution, so it is checked here; names are checked on each connection. */
function refuseInward(config: Config, settings: object): void {
  const baseUrl = 'baseUrl' in settings ? settings.baseUrl : undefined
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isReachable(config, host))
    throw new Error('This platform is in a private network that PLATFORM_NETWORKS does not allow.')
}

type ConnectionRow = NonNullable<Awaited<ReturnType<typeof readConnection>>>

function readConnection(system: System, platformId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('platform_connections as connection')
      .innerJoin('trading_platforms as platform', (join) =>
        join
          .onRef('platform.workspace_id', '=', 'connection.workspace_id')
          .onRef('platform.platform_id', '=', 'connection.platform_id'),
      )
      .select(['connection.platform_id', 'connection.settings', 'connection.sealed_secret', 'connection.settle_ms'])
      .select(['connection.look_again_ms', 'connection.lease_ms', 'platform.type'])
      .where('connection.workspace_id', '=', system.workspaceId)
      .where('connection.platform_id', '=', platformId)
      .where('platform.enabled', '=', true)
      .executeTakeFirst(),
  )
}
