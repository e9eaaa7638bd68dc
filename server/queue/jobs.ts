import { isDeepStrictEqual } from 'node:util'
import { SpanKind } from '@opentelemetry/api'
import { sql } from 'kysely'
import { fromKysely, type Job, PgBoss } from 'pg-boss'
import type { Context } from '../foundation/context.ts'
import type { Tx } from '../foundation/database/database.ts'
import { describeProblem } from '../observability/log.ts'
import { contextOf, traceparent } from '../observability/trace-carrier.ts'
import { inSpan } from '../observability/tracing.ts'
import { during, underWay } from '../observability/under-way.ts'
import { queueProblems } from './queue-problems.ts'
import { startOnLaterTables } from './queue-tables.ts'

/** Queues by name. A job's data carries ids only: what it is about is read when it runs, in the workspace it names. */
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

/** `reqId`: the request that led to it, for the log. */
export type JobData = { workspaceId: string; id: string; traceparent?: string; reqId?: string }
/** `isFirst`: before all that wait in its queue. */
type Timing = { startAfter?: Date; isFirst?: boolean }
type Sent = Timing & { group?: { id: string } }
export type JobHandler = (data: JobData) => Promise<void>
/** The workers of one queue in this process. */
type Crew = { look(): void }
export type JobHandlers = Partial<Record<Queue, JobHandler>>

export type Jobs = {
  /** Becomes visible with the transaction's commit, and not at all without it. */
  enqueue(tx: Tx, queue: Queue, data: JobData, timing?: Timing): Promise<void>
  /** The same for a round through a workspace, unless it waits or is under way already: no round goes beside itself. */
  enqueueRound(tx: Tx, queue: Queue, data: JobData): Promise<void>
  /** Looks at once for work that this process just committed, instead of at the next poll. */
  wake(queue: Queue): void
  start(handlers: JobHandlers): Promise<void>
  /** Jobs that were given up begin anew. */
  retry(queue: Queue, ids: string[]): Promise<void>
  stop(): Promise<void>
}

const schema = 'pgboss'
const workersOfQueue = 4
/** How long a job waits at most that another process has made. */
const lookMs = 1_000
/** Should our clock ever stand still; the workers' own looks cost a statement each, whether or not there is anything to do. */
const pollingIntervalSeconds = 30
/** The queue's own statements take no such time; for a machine that is gone without a word a line waits much longer. */
const silence = { query_timeout: 30_000 }

/** A job that fails is tried again with growing pauses; the tasks behind it are safe to repeat (funding/crediting/intent.ts). */
const pauses = { retryLimit: 20, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 }

/**
 * A job is somebody else's ten seconds after the last sign of life of the process that had it, the fewest that the queue
 * takes. Its worker gives one every other second for as long as the task goes on.
 */
const signs = { heartbeatSeconds: 10, heartbeatRefreshSeconds: 2 }

/**
 * Deeds that go through a whole brokerage, or a whole history, and when each begins: how long they take is up to how much there is.
 * Not all at the same minute.
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
 * After so long a task hangs, signs of life or not: its job counts as failed and is begun anew, beside whatever still hangs.
 * Statements and calls have bounds of their own, so no task that is well comes near it. From half of it on the job is
 * `overlong` (queue-figures.ts), and somebody is told.
 */
const hangsAfterSeconds = { round: 12 * 3_600, task: 15 * 60 }

function rulesOf(queue: Queue) {
  const expireInSeconds = queue in rounds ? hangsAfterSeconds.round : hangsAfterSeconds.task
  return { ...pauses, expireInSeconds, heartbeatSeconds: signs.heartbeatSeconds }
}

/**
 * How often one of all processes looks for jobs that nobody has any more, and how often each asks whether it is its turn:
 * with the first pause of a job, a killed process's work goes on within half a minute. Each look reads the whole table of jobs.
 */
const looks = { monitorIntervalSeconds: 10, superviseIntervalSeconds: 3 }

/** A job keeps the time that its queue gave it when it was made, through all its tries. */
const jobsByTodaysRules = `update ${schema}.job j set expire_seconds = q.expire_seconds from ${schema}.queue q
  where q.name = j.name and j.state < 'completed' and j.expire_seconds <> q.expire_seconds`

/** Makes the queue's own tables, as the database's owner, before any program runs, and gives older queues and jobs the rules of today. */
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
  // A process of the version before may start beside one of this: it leaves schedules that it does not know, so one that is not wanted any
  // more is taken away here, by name, and another time is another name. One that came due while nobody was there begins once.
  for (const [queue, cron] of schedules)
    await boss.schedule('rounds.begin', cron, { workspaceId: '', id: queue } satisfies JobData, {
      key: queue,
      missed: 'once',
    })
  await boss.getDb().executeSql(jobsByTodaysRules)
  await boss.stop({ graceful: false, close: true })
}

/** Of those who ask at the same moment one does. Each half has an index of the queue's own: of what waits, and of what is under way. */
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

/** Of one process, beside those of its work (database.ts). */
export const connectionsOfJobsMax = 4

/** `schedule`: begins rounds when they are due, whichever of the processes that do so comes first. */
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
    ...looks,
    ...silence,
  })
  boss.on('error', queueProblems(log))
  await startOnLaterTables(boss, log)
  const crews = new Map<Queue, Crew>()
  let stopLooking = (): void => undefined
  return {
    enqueue: (tx, queue, data, timing = {}) => send(boss, tx, queue, data, timing),
    async enqueueRound(tx, queue, data) {
      const group = { id: data.workspaceId }
      if (await mayGoRound(tx, queue, group.id)) await send(boss, tx, queue, data, { group })
    },
    wake(queue) {
      crews.get(queue)?.look()
    },
    async start(handlers) {
      for (const [name, handler] of Object.entries(handlers) as [Queue, JobHandler][])
        crews.set(name, await hireCrew(boss, name, (job) => run(name, handler, job, observers)))
      stopLooking = lookInTurns([...crews.values()])
    },
    async retry(queue, ids) {
      if (ids.length > 0) await boss.retry(queue, ids)
    },
    async stop() {
      stopLooking()
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
    // Its time is over, somebody else had it meanwhile, or the process ends: the task knows nothing of it.
    if (!isOver) log.error(about, 'job taken from a deed that goes on')
  })
  const attributes = { 'messaging.destination.name': queue, 'atrium.workspace': data.workspaceId }
  const parent = contextOf(data.traceparent)
  try {
    const task = () => inSpan(`job ${queue}`, { kind: SpanKind.CONSUMER, attributes, parent }, () => handler(data))
    await during(about, task)
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
 * One of those who have nothing to do looks when it is told to. Who finds something sends the next one to look, and looks
 * again itself when it is done: what piled up waits for no clock.
 */
async function hireCrew(boss: PgBoss, queue: Queue, perform: (job: Job<JobData>) => Promise<void>): Promise<Crew> {
  const idle = new Set<string>()
  const look = (): void => {
    const [worker] = idle
    if (worker === undefined) return
    // To the end of the line, so that one whose question hangs is not the one who is sent again and again.
    idle.delete(worker)
    idle.add(worker)
    boss.notifyWorker(worker)
  }
  const options = { pollingIntervalSeconds, heartbeatRefreshSeconds: signs.heartbeatRefreshSeconds }
  for (let count = 0; count < workersOfQueue; count++) {
    let turns = 0
    const worker: string = await boss.work<JobData>(queue, options, async (jobs) => {
      const turn = ++turns
      idle.delete(worker)
      look()
      try {
        for (const job of jobs) await perform(job)
      } finally {
        // A task that outlives its job ends beside the next one that its worker has begun.
        if (turn === turns) {
          idle.add(worker)
          boss.notifyWorker(worker)
        }
      }
    })
    idle.add(worker)
  }
  return { look }
}

/** One queue after the other, so that they do not all ask in the same moment. Answers how to stop. */
function lookInTurns(crews: readonly Crew[]): () => void {
  if (crews.length === 0) return () => undefined
  let turns = [...crews]
  const looking = setInterval(() => {
    const [next, ...others] = turns
    turns = others.length > 0 ? others : [...crews]
    next?.look()
  }, lookMs / crews.length)
  return () => clearInterval(looking)
}

async function send(boss: PgBoss, tx: Tx, queue: Queue, data: JobData, sent: Sent): Promise<void> {
  const { startAfter, isFirst, group } = sent
  const [carried, reqId] = [traceparent(), underWay()?.reqId]
  const whence = { ...(carried && { traceparent: carried }), ...(reqId && { reqId }) }
  await boss.send(
    queue,
    { ...data, ...whence },
    {
      db: fromKysely(tx),
      ...(startAfter && { startAfter }),
      ...(isFirst && { priority: 1 }),
      ...(group && { group }),
    },
  )
}
