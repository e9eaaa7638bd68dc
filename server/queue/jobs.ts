import { isDeepStrictEqual } from 'node:util'
import { SpanKind } from '@opentelemetry/api'
import { sql } from 'kysely'
import { fromKysely, type Job, PgBoss } from 'pg-boss'
import type { Context } from '../foundation/context.ts'
import type { Tx } from '../foundation/database/database.ts'
import { describeProblem } from '../observability/log.ts'
import { logContext, withLogContext } from '../observability/log-context.ts'
import { contextOf, traceparent } from '../observability/trace-carrier.ts'
import { inSpan } from '../observability/tracing.ts'
import { pollTogether } from './polling.ts'
import { queueProblems } from './queue-problems.ts'
import { startOnLaterTables } from './queue-tables.ts'

/** Queues by name. A job's data holds ids only; its subject is read when it runs, in the workspace it names. */
export const queues = [
  'rounds.begin',
  'funding.settle-intent',
  'funding.recount-intent',
  'funding.debit-demo',
  'funding.check-ledger',
  'openings.settle',
  'openings.recount',
  'openings.compare',
  'openings.change-person',
  'comparisons.compare-platforms',
  'reconciliation.read-day',
  'accounts.thin-figures',
  'files.sweep-uploads',
  'files.scan',
  'documents.settle-standings',
  'documents.watch-expiry',
  'documents.read-identity-notification',
  'forms.sweep-drafts',
  'sessions.issue-reset',
  'sessions.sweep',
  'notifications.send-mail',
  'notifications.sweep-mails',
  'trades.read-history',
  'payments.read-notification',
  'payments.clear-notifications',
  'payments.ask-provider',
  'payments.visit-payout',
] as const
export type Queue = (typeof queues)[number]

/** `reqId`: the request that enqueued it, for the log. */
export type JobData = { workspaceId: string; id: string; traceparent?: string; reqId?: string }
/** `isFirst`: ahead of all waiting jobs of its queue. `isLast`: behind them. */
type Timing = { startAfter?: Date; isFirst?: boolean; isLast?: boolean }
type Sent = Timing & { group?: { id: string } }
export type JobHandler = (data: JobData) => Promise<void>
/** The workers of one queue in this process. */
type QueueWorkers = { poll(): void }
export type JobHandlers = Partial<Record<Queue, JobHandler>>

export type Jobs = {
  /** The job becomes visible when the transaction commits. */
  enqueue(tx: Tx, queue: Queue, data: JobData, timing?: Timing): Promise<void>
  /** The same for a sweep of a workspace, unless one is waiting or running already. */
  enqueueRound(tx: Tx, queue: Queue, data: JobData): Promise<void>
  /** Polls immediately for jobs that this process just committed. */
  wake(queue: Queue): void
  start(handlers: JobHandlers): Promise<void>
  /** Restarts jobs that have failed for good. */
  retry(queue: Queue, ids: string[]): Promise<void>
  stop(): Promise<void>
}

const schema = 'pgboss'
const workersOfQueue = 4
/** For rounds that wait for outside systems: those of some brokerages must not keep the others waiting. */
const moreWorkers: Readonly<Partial<Record<Queue, number>>> = { 'funding.check-ledger': 16 }
/** A fallback for a stopped clock; each poll of a worker costs a statement, even when there is no job. */
const pollingIntervalSeconds = 30
/** Far above the duration of the queue's statements, and below the TCP timeout for a machine that disappeared. */
const silence = { query_timeout: 30_000 }

/** Failed jobs are retried with growing delays; tasks are idempotent (funding/crediting/intent.ts). */
const pauses = { retryLimit: 20, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 }

/**
 * A job is reclaimed 10 s after the worker's last heartbeat, the minimum of the queue. The worker sends one every 2 s
 * while the task runs.
 */
const signs = { heartbeatSeconds: 10, heartbeatRefreshSeconds: 2 }

/**
 * Tasks over a whole workspace or history, whose duration grows with the data, with their cron schedules. Start times
 * are spread over the hour.
 */
const rounds: Readonly<Partial<Record<Queue, string | null>>> = {
  'rounds.begin': null,
  'funding.check-ledger': '*/10 * * * *',
  'comparisons.compare-platforms': '5-59/10 * * * *',
  'accounts.thin-figures': '3 * * * *',
  'files.sweep-uploads': '11 * * * *',
  'documents.settle-standings': null,
  'documents.watch-expiry': '1 * * * *',
  'forms.sweep-drafts': '23 * * * *',
  'sessions.sweep': '31 * * * *',
  'notifications.sweep-mails': '41 * * * *',
  'trades.read-history': null,
  'payments.clear-notifications': '53 * * * *',
}
const schedules = Object.entries(rounds).filter((round): round is [Queue, string] => round[1] !== null)
export const scheduledRounds: readonly Queue[] = schedules.map(([queue]) => queue)

/**
 * After this time a task counts as hanging despite heartbeats, and its job fails and is retried beside it; a healthy
 * task stays far below, since statements and calls have their own limits. From half of it on the job is `overlong`
 * (queue-metrics.ts), which operators see.
 */
const hangsAfterSeconds = { round: 12 * 3_600, task: 15 * 60 }

function rulesOf(queue: Queue) {
  const expireInSeconds = queue in rounds ? hangsAfterSeconds.round : hangsAfterSeconds.task
  return { ...pauses, expireInSeconds, heartbeatSeconds: signs.heartbeatSeconds }
}

/**
 * How often the processes together check for abandoned jobs, which reads the whole jobs table, and how often each
 * process asks whether a check is due. With the first retry delay, the jobs of a killed process resume within half a
 * minute.
 */
const monitoring = { monitorIntervalSeconds: 10, superviseIntervalSeconds: 3 }

/** A job keeps its queue's expiry from creation through all retries, so unfinished jobs are updated here. */
const jobsByTodaysRules = `update ${schema}.job j set expire_seconds = q.expire_seconds from ${schema}.queue q
  where q.name = j.name and j.state < 'completed' and j.expire_seconds <> q.expire_seconds`

/** Creates the queue's tables as the database's owner, and updates the rules of existing queues and jobs. */
export async function installJobs(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, schema, supervise: false, schedule: false, max: 2 })
  boss.on('error', () => undefined)
  await boss.start()
  const made = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const queue of queues) {
    const [found, rules] = [made.get(queue), rulesOf(queue)]
    if (!found) await boss.createQueue(queue, rules)
    else if (!isDeepStrictEqual({ ...found, ...rules }, found)) await boss.updateQueue(queue, rules)
  }
  // An obsolete schedule is removed here by name, and a changed time needs a new name, since a process of the previous
  // version keeps schedules it does not know. A run missed while no process was up starts once.
  for (const [queue, cron] of schedules)
    await boss.schedule('rounds.begin', cron, { workspaceId: '', id: queue } satisfies JobData, {
      key: queue,
      missed: 'once',
    })
  await boss.getDb().executeSql(jobsByTodaysRules)
  await boss.stop({ graceful: false, close: true })
}

/** Only one of several concurrent callers succeeds. The two halves use the indexes of waiting and running jobs. */
async function mayGoRound(tx: Tx, queue: Queue, group: string): Promise<boolean> {
  const lock = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${queue} ${group}`}, 0)) as is_ours`.execute(tx)
  if (!lock.rows[0]?.is_ours) return false
  const { rows } = await sql`
    (select from pgboss.job where name = ${queue} and group_id = ${group} and state < 'active' and not blocked limit 1)
    union all
    (select from pgboss.job where name = ${queue} and group_id = ${group} and state = 'active' limit 1)`.execute(tx)
  return rows.length === 0
}

/** Per process, beside those of `connectionsOfWorkMax` (database/pool.ts). */
export const connectionsOfJobsMax = 4

/** `schedule`: starts sweeps when they are due; the first of such processes does it. */
export async function openJobs(
  programUrl: string,
  { schedule = false, ...observers }: Observers & { schedule?: boolean },
): Promise<Jobs> {
  const { log } = observers
  const boss = new PgBoss({
    connectionString: programUrl,
    schema,
    migrate: false,
    createSchema: false,
    reindex: false,
    schedule,
    max: connectionsOfJobsMax,
    application_name: 'atrium-jobs',
    ...monitoring,
    ...silence,
  })
  const report = queueProblems(log)
  boss.on('error', report)
  await startOnLaterTables(boss, log)
  const workers = new Map<Queue, QueueWorkers>()
  let stopPolling = (): void => undefined
  return {
    enqueue: (tx, queue, data, timing = {}) => send(boss, tx, queue, data, timing),
    async enqueueRound(tx, queue, data) {
      const group = { id: data.workspaceId }
      if (await mayGoRound(tx, queue, group.id)) await send(boss, tx, queue, data, { group })
    },
    wake(queue) {
      workers.get(queue)?.poll()
    },
    async start(handlers) {
      for (const [name, handler] of Object.entries(handlers) as [Queue, JobHandler][])
        workers.set(name, await startWorkers(boss, name, (job) => run(name, handler, job, observers)))
      stopPolling = pollTogether(boss.getDb(), workers, report)
    },
    async retry(queue, ids) {
      if (ids.length > 0) await boss.retry(queue, ids)
    },
    async stop() {
      stopPolling()
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

type Observers = Pick<Context, 'log' | 'metrics'>

async function run(
  queue: Queue,
  handler: JobHandler,
  { data, signal }: Job<JobData>,
  { log, metrics }: Observers,
): Promise<void> {
  const begunAt = performance.now()
  const about = { queue, workspace: data.workspaceId, job: data.id, ...(data.reqId && { reqId: data.reqId }) }
  let isOver = false
  signal.addEventListener('abort', () => {
    // The job expired, was reclaimed, or the process stops; the task continues unaware of it.
    if (!isOver) log.error(about, 'job reclaimed from a running task')
  })
  const attributes = { 'messaging.destination.name': queue, 'atrium.workspace': data.workspaceId }
  const parent = contextOf(data.traceparent)
  try {
    const task = () => inSpan(`job ${queue}`, { kind: SpanKind.CONSUMER, attributes, parent }, () => handler(data))
    await withLogContext(about, task)
    metrics.worked(queue, true, performance.now() - begunAt)
  } catch (problem) {
    metrics.worked(queue, false, performance.now() - begunAt)
    log.error({ err: describeProblem(problem), ...about }, 'job failed')
    throw problem
  } finally {
    isOver = true
  }
}

/**
 * A wake-up makes one idle worker poll. A worker that finds a job wakes the next one, and polls again when it is done,
 * so a backlog is worked off without waiting for the timer.
 */
async function startWorkers(
  boss: PgBoss,
  queue: Queue,
  perform: (job: Job<JobData>) => Promise<void>,
): Promise<QueueWorkers> {
  const idle = new Set<string>()
  const poll = (): void => {
    const [worker] = idle
    if (worker === undefined) return
    // Moves to the end, so that a worker with a hanging poll is not woken every time.
    idle.delete(worker)
    idle.add(worker)
    boss.notifyWorker(worker)
  }
  const options = { pollingIntervalSeconds, heartbeatRefreshSeconds: signs.heartbeatRefreshSeconds }
  for (let count = 0; count < (moreWorkers[queue] ?? workersOfQueue); count++) {
    let turns = 0
    const worker: string = await boss.work<JobData>(queue, options, async (jobs) => {
      const turn = ++turns
      idle.delete(worker)
      poll()
      try {
        for (const job of jobs) await perform(job)
      } finally {
        // A task that outlives its job ends while its worker has another job.
        if (turn === turns) {
          idle.add(worker)
          boss.notifyWorker(worker)
        }
      }
    })
    idle.add(worker)
  }
  return { poll }
}

async function send(boss: PgBoss, tx: Tx, queue: Queue, data: JobData, sent: Sent): Promise<void> {
  const { startAfter, isFirst, isLast, group } = sent
  const [carried, reqId] = [traceparent(), logContext()?.reqId]
  const whence = { ...(carried && { traceparent: carried }), ...(reqId && { reqId }) }
  await boss.send(
    queue,
    { ...data, ...whence },
    {
      db: fromKysely(tx),
      ...(startAfter && { startAfter }),
      ...(isFirst && { priority: 1 }),
      ...(isLast && { priority: -1 }),
      ...(group && { group }),
    },
  )
}
