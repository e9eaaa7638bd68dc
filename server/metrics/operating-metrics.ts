import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'
import { waitingFor } from '../foundation/database/pool.ts'
import { describeProblem } from '../observability/log.ts'
import { type QueueMetrics, readQueues } from '../queue/queue-metrics.ts'
import type { DomainMetrics } from './domain-metrics.ts'
import { gaugeOf } from './metrics.ts'

/** The gauges of one workspace. */
type WorkspaceMetrics = { workspace: string; gauges: Record<string, number> }
type Side = { side: 'platform' | 'provider'; id: string; name: string }
type OfWorkspace = { system: System; metrics: WorkspaceMetrics; sides: Side[] }

export type OperatingMetrics = {
  workspaces: OfWorkspace[]
  queues: QueueMetrics[]
  isDatabaseWell: boolean
  /** Workspaces that could not be read; the previous metrics are repeated, so that known problems stay visible. */
  unreadCount: number
  /** Unix time in seconds; null if no backup was recorded. */
  backupFinishedAt: number | null
}

const nothingKnown: OperatingMetrics = {
  workspaces: [],
  queues: [],
  isDatabaseWell: false,
  unreadCount: 0,
  backupFinishedAt: null,
}

/** Cache time, so that several scrapers cost the database one read. */
const cachedForMs = 10_000
/** Prometheus waits ten seconds for the page, so a slower read is left out. */
const patienceMs = 4_000

/**
 * Metrics from the database and the connections, beside those the process counts itself (metrics.ts). When the database
 * does not answer, the page still shows the process and reports the database as down.
 */
export function openOperatingMetrics(context: Context, domains: readonly DomainMetrics[]): Registry {
  const registry = new Registry()
  const readMetrics = cacheMetrics(context, domains)
  gaugeOf(registry, { name: 'atrium_database_up', help: '1 if the database answered the last check.' }, async () => [
    { labels: {}, value: (await readMetrics()).isDatabaseWell ? 1 : 0 },
  ])
  gaugeOf(
    registry,
    {
      name: 'atrium_workspaces_unread',
      help: 'Workspaces that the last check could not read: their metrics are older. The log says which and why.',
    },
    async () => [{ labels: {}, value: (await readMetrics()).unreadCount }],
  )
  gaugeOf(
    registry,
    {
      name: 'atrium_backup_finished_timestamp_seconds',
      help: 'When the last backup by `backup make` was finished. Absent if there never was one; other tools do not count.',
    },
    async () => {
      const { backupFinishedAt } = await readMetrics()
      return backupFinishedAt === null ? [] : [{ labels: {}, value: backupFinishedAt }]
    },
  )
  addConnectionGauges(registry, context)
  for (const [name, help] of domains.flatMap(({ gauges }) => Object.entries(gauges)))
    gaugeOf(registry, { name: `atrium_${name}`, help, labels: ['workspace'] }, async () =>
      (await readMetrics()).workspaces.map(({ metrics: { workspace, gauges } }) => ({
        labels: { workspace },
        value: gauges[name] ?? 0,
      })),
    )
  for (const [name, column, help] of ofQueues)
    gaugeOf(registry, { name: `atrium_${name}`, help, labels: ['queue'] }, async () =>
      (await readMetrics()).queues.map((row) => ({ labels: { queue: row.queue }, value: row[column] })),
    )
  gaugeOf(
    registry,
    {
      name: 'atrium_outside_up',
      help: '0 while the circuit of a trading platform or payment provider is open in this process, because it did not answer. Absent if it was never called.',
      labels: ['workspace', 'side', 'name'],
    },
    async () => (await readMetrics()).workspaces.flatMap(readCircuits),
  )
  return registry
}

/** Reads again after a while, once for all who ask at the same time. */
function cacheMetrics(context: Context, domains: readonly DomainMetrics[]): () => Promise<OperatingMetrics> {
  let known = nothingKnown
  let refreshedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    try {
      known = await readOperatingMetrics(context, domains, known)
      refreshedAt = performance.now()
    } finally {
      refreshing = undefined
    }
  }

  return async () => {
    if (!refreshing && performance.now() - refreshedAt < cachedForMs) return known
    refreshing ??= refresh()
    await Promise.race([refreshing, setTimeout(patienceMs, undefined, { ref: false })])
    return known
  }
}

/** Of this process, without asking the database. */
function addConnectionGauges(registry: Registry, context: Context): void {
  gaugeOf(
    registry,
    { name: 'atrium_database_connections', help: 'Connections of the pool of this process.', labels: ['state'] },
    () => {
      const { pool } = context.database
      const { totalCount, idleCount } = pool
      return [
        { labels: { state: 'busy' }, value: totalCount - idleCount },
        { labels: { state: 'idle' }, value: idleCount },
        { labels: { state: 'asked_for' }, value: waitingFor(pool) },
      ]
    },
  )
  gaugeOf(
    registry,
    {
      name: 'atrium_replica_lag_seconds',
      help: 'How old the data of the read replica may be, if one is used; -1: unknown.',
    },
    () => {
      const { replica } = context.database
      if (!replica) return []
      const lagMs = replica.lagMs()
      return [{ labels: {}, value: Number.isFinite(lagMs) ? lagMs / 1_000 : -1 }]
    },
  )
}

const ofQueues: readonly [string, Exclude<keyof QueueMetrics, 'queue'>, string][] = [
  ['jobs_waiting', 'waiting', 'Jobs that are due and have not started.'],
  ['jobs_waiting_seconds', 'age', 'How long the oldest of them has been due.'],
  ['jobs_active', 'active', 'Jobs that run, in any process.'],
  ['jobs_overlong', 'overlong', 'Running jobs that exceed the time limit of their kind.'],
  ['jobs_failed', 'failed', 'Jobs that failed after all attempts.'],
]

/** `before`: the previous metrics, for what cannot be read now. A failure in one workspace does not affect others. */
export async function readOperatingMetrics(
  context: Context,
  domains: readonly DomainMetrics[],
  before = nothingKnown,
): Promise<OperatingMetrics> {
  const metrics = { ...before, unreadCount: 0, isDatabaseWell: await doesAnswer(context) }
  const failed = async (problem: unknown, workspace?: string): Promise<void> => {
    context.log.error({ err: describeProblem(problem), workspace }, 'metrics could not be read')
    metrics.isDatabaseWell = await doesAnswer(context)
  }
  if (!metrics.isDatabaseWell) return { ...metrics, unreadCount: before.workspaces.length }
  try {
    const last = new Map(before.workspaces.map((each) => [each.system.workspaceId, each]))
    const workspaces: OfWorkspace[] = []
    for (const system of await listWorkspaces(context)) {
      const found = metrics.isDatabaseWell
        ? await readOne(system, domains).catch((problem) => failed(problem, system.workspaceId))
        : undefined
      if (!found) metrics.unreadCount += 1
      const latest = found ?? last.get(system.workspaceId)
      if (latest) workspaces.push(latest)
    }
    metrics.workspaces = workspaces
    if (metrics.isDatabaseWell) {
      metrics.queues = await readQueues(context)
      metrics.backupFinishedAt = await readLastBackup(context)
    }
  } catch (problem) {
    await failed(problem)
  }
  return metrics
}

const asking = { text: 'select 1', query_timeout: 5_000 }

const askingForBackup = {
  text: 'select extract(epoch from finished_at)::float8 as at from atrium_meta.last_backup',
  query_timeout: 5_000,
}

/** Recorded at the end of `backup make` (backup/note.ts). */
async function readLastBackup({ database }: Context): Promise<number | null> {
  const { rows } = await database.pool.query<{ at: number }>(askingForBackup)
  return rows[0]?.at ?? null
}

/** Does not depend on the size of any table. */
async function doesAnswer({ database, log }: Context): Promise<boolean> {
  try {
    await database.pool.query(asking)
    return true
  } catch (problem) {
    log.error({ err: describeProblem(problem) }, 'the database does not answer')
    return false
  }
}

function readOne(system: System, domains: readonly DomainMetrics[]): Promise<OfWorkspace> {
  return reading(system, async (tx) => ({
    system,
    metrics: await readWorkspaceMetrics(tx, system, domains),
    sides: await readSides(tx, system),
  }))
}

/** One statement for the gauges of all domains. */
async function readWorkspaceMetrics(
  tx: Tx,
  { workspaceId, context }: System,
  domains: readonly DomainMetrics[],
): Promise<WorkspaceMetrics> {
  const now = context.clock.now()
  const times = { now, seenSince: new Date(now.getTime() - context.config.sessionIdleMs) }
  const ofDomains = domains.map(
    ({ select }, index) => sql`cross join lateral (${select(times)}) ${sql.ref(`domain_${index}`)}`,
  )
  const { rows } = await sql<Record<string, number> & { workspace: string }>`
    select w.subdomain as workspace, ${sql.join(domains.map((_, index) => sql`${sql.ref(`domain_${index}`)}.*`))}
    from workspaces w ${sql.join(ofDomains, sql` `)}
    where w.workspace_id = ${workspaceId}::uuid`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('A listed workspace cannot be read')
  const { workspace, ...gauges } = row
  return { workspace, gauges }
}

async function readSides(tx: Tx, { workspaceId }: System): Promise<Side[]> {
  const { rows } = await sql<Side>`
    select 'platform' as side, platform_id as id, name from trading_platforms
      where workspace_id = ${workspaceId}::uuid and enabled
    union all
    select 'provider', provider_id, app_uid from payment_providers where workspace_id = ${workspaceId}::uuid and enabled
    order by 1, 3`.execute(tx)
  return rows
}

/** Only platforms and providers this process has called; each process reports its own view. */
function readCircuits({ system, metrics, sides }: OfWorkspace) {
  const { platforms, providers } = system.context
  return sides.flatMap(({ side, id, name }) => {
    const circuit = side === 'platform' ? platforms.circuitState(system, id) : providers.circuitState(system, id)
    if (!circuit) return []
    return [{ labels: { workspace: metrics.workspace, side, name }, value: circuit.isCircuitOpen ? 0 : 1 }]
  })
}
