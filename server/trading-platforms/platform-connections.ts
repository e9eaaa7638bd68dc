import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Actor, type System, systemActor } from '../foundation/actor.ts'
import type { CircuitState } from '../foundation/circuit.ts'
import { makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { guardedLookup, isReachable } from '../foundation/database/reachable.ts'
import { onceProven } from '../foundation/pending-proof.ts'
import { startRounds } from '../foundation/repeating.ts'
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
  /** Runs a part of a long reading of this process; the parts of all brokerages take turns. */
  takeTurn<Result>(actor: Actor, part: () => Promise<Result>): Promise<Result>
  /**
   * Ends connections whose platform is disabled or has other settings by now, of one workspace or of all in turn. Their
   * running calls are cut; a call with an unknown outcome is looked up as always.
   */
  endStale(workspaceId?: string): Promise<void>
  /** Its health without a call; null while this process has no connection to it. */
  circuitState(actor: Actor, platformId: string): CircuitState | null
  close(): Promise<void>
}

type OpenPlatform = {
  workspaceId: string
  platformId: string
  fingerprint: string
  gateway: GuardedGateway
  openedAt: Date
}

/** Of long readings of all brokerages together. */
const partsAtOnce = 32

export function openPlatforms(contextOf: () => Context): Platforms {
  const connections = keepConnections()
  const queues = openKeyedQueues()
  const turns = makeConcurrencyLimiter(partsAtOnce)
  return {
    async link(actor, platformId) {
      const system = systemActor(contextOf(), actor.workspaceId)
      const [row] = await onceProven(() => readConnections(system, [platformId]))
      if (!row) return null
      const timing = { settleMs: row.settle_ms, lookAgainMs: row.look_again_ms, leaseMs: row.lease_ms }
      const { gateway, openedAt } = connections.open(system, row)
      return { gateway, timing, openedAt }
    },
    runQueued: (actor, platformId, key, work) => queues.run(keyOf(actor, platformId), key, work),
    takeTurn: (actor, part) => turns(part, { whose: actor.workspaceId }),
    endStale: makeStaleCheck(contextOf, connections),
    circuitState: (actor, platformId) => connections.find(actor, platformId)?.gateway.circuitState() ?? null,
    async close() {
      const underWay = queues.stop()
      await Promise.race([underWay, patience(graceMs)])
      await connections.close()
      // Tasks that were cut off still record their outcome.
      await underWay
    },
  }
}

const keyOf = ({ workspaceId }: Pick<Actor, 'workspaceId'>, platformId: string) => `${workspaceId}/${platformId}`

type Connections = ReturnType<typeof keepConnections>

function keepConnections() {
  const kept = new Map<string, OpenPlatform>()

  /** Synchronous between look-up and store, so that concurrent callers never open two connections. */
  function open(system: System, row: ConnectionRow): OpenPlatform {
    const { workspaceId } = system
    const { platform_id: platformId } = row
    const key = keyOf(system, platformId)
    const settings = openSettings(system, row)
    const fingerprint = fingerprintOf(settings)
    const earlier = kept.get(key)
    if (earlier?.fingerprint === fingerprint) return earlier
    const gateway = connectTo(system, row, settings)
    const opened = { workspaceId, platformId, fingerprint, gateway, openedAt: system.context.clock.now() }
    kept.set(key, opened)
    // The settings changed: callers on the old connection fail and request the link again.
    if (earlier) closeInBackground(system, earlier)
    return opened
  }

  return {
    open,
    find: (actor: Actor, platformId: string) => kept.get(keyOf(actor, platformId)),
    all: (): OpenPlatform[] => [...kept.values()],
    /** Leaves alone what was opened meanwhile: it comes from a newer row. */
    end(system: System, each: OpenPlatform): void {
      const key = keyOf(each, each.platformId)
      if (kept.get(key) !== each) return
      kept.delete(key)
      closeInBackground(system, each)
      system.context.log.info({ workspace: each.workspaceId, platform: each.platformId }, 'platform disconnected')
    },
    async close(): Promise<void> {
      const gateways = [...kept.values()].map(({ gateway }) => gateway)
      kept.clear()
      await Promise.all(gateways.map((gateway) => gateway.close()))
    },
  }
}

function connectTo(system: System, row: ConnectionRow, settings: Settings): GuardedGateway {
  const { config, log } = system.context
  if (config.production) refuseSimulator(settings)
  refuseInward(config, settings)
  const about = { workspace: system.workspaceId, platform: row.platform_id }
  return connectGuarded(row.type as PlatformKind, settings, { log: log.child(about), lookup: guardedLookup(config) })
}

function closeInBackground({ context: { log } }: System, { gateway }: OpenPlatform): void {
  gateway.close().catch((problem) => log.warn({ err: describeProblem(problem) }, 'platform not closed'))
}

/** Brokerages per check, each a unit of work; with more of them they take turns. */
const checkedAtOnce = 100

function makeStaleCheck(contextOf: () => Context, connections: Connections): Platforms['endStale'] {
  let checkedUpTo = 0

  async function check(workspaceId: string): Promise<void> {
    const system = systemActor(contextOf(), workspaceId)
    const open = connections.all().filter((each) => each.workspaceId === workspaceId)
    const rows = await readConnections(
      system,
      open.map(({ platformId }) => platformId),
    )
    const current = new Map(rows.map((row) => [row.platform_id, currentFingerprint(system, row)]))
    for (const each of open) if (current.get(each.platformId) !== each.fingerprint) connections.end(system, each)
  }

  return async (only) => {
    const all = [...new Set(connections.all().map(({ workspaceId }) => workspaceId))]
    if (only !== undefined) return all.includes(only) ? check(only) : undefined
    const inTurn = [...all.slice(checkedUpTo), ...all.slice(0, checkedUpTo)].slice(0, checkedAtOnce)
    checkedUpTo = all.length === 0 ? 0 : (checkedUpTo + inTurn.length) % all.length
    for (const workspaceId of inTurn) await check(workspaceId)
  }
}

const checkEveryMs = 1_000
/**
 * Runs in every process, whatever its roles: a platform may be disabled or changed in another one, or by a command. No
 * `LISTEN`, because a connection pooler in between would drop it.
 */
export function startEndingStale({ platforms, log }: Context): () => void {
  let isFailing = false
  return startRounds(checkEveryMs, async () => {
    try {
      await platforms.endStale()
      isFailing = false
    } catch (problem) {
      // An outage of the database is logged once, not every second.
      if (!isFailing) log.error({ err: describeProblem(problem) }, 'connections to platforms not checked')
      isFailing = true
    }
  })
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

type ConnectionRow = Awaited<ReturnType<typeof readConnections>>[number]
type Settings = Record<string, unknown>

const openSettings = ({ context: { seal } }: System, { settings, sealed_secret }: ConnectionRow): Settings => ({
  ...(settings as Settings),
  ...(JSON.parse(seal.open(sealed_secret)) as Settings),
})

/** Of the opened settings, not of the sealed ones: a reseal must not reconnect while credits are in flight. */
const fingerprintOf = (settings: Settings): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('hex')

/** Null for a secret that this process cannot open: it cannot be the one of an open connection. */
function currentFingerprint(system: System, row: ConnectionRow): string | null {
  try {
    return fingerprintOf(openSettings(system, row))
  } catch {
    return null
  }
}

/** The connections of enabled platforms. */
function readConnections(system: System, platformIds: readonly string[]) {
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
      .where(sql<boolean>`connection.platform_id = any(${platformIds}::uuid[])`)
      .where('platform.enabled', '=', true)
      .execute(),
  )
}
