import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type Opening, openContext } from './context.ts'
import { allJobs, startSweeps } from './domains.ts'
import { startClearingSpool } from './files/jobs.ts'
import type { Context } from './foundation/context.ts'
import { drain } from './http/draining.ts'
import { startWatchingClock } from './observability/clock-watch.ts'
import { logBeside, makeLog } from './observability/log.ts'
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import { startEndingStale } from './trading-platforms/platform-connections.ts'
import { startStoringBuild } from './web-builds/store-build.ts'
import { refuseDemoPeople } from './workspaces/demo-people.ts'
import { refuseSimulators } from './workspaces/simulators.ts'

type Close = () => Promise<void>

/** What a start has opened: closed once and in reverse order, so that a failure or a signal leaves nothing behind. */
type Opened = { add(close: Close): void; close: Close }

export function collectOpened(): Opened {
  const opened: Close[] = []
  let closing: Promise<void> | undefined

  async function closeAll(): Promise<void> {
    let failure: unknown
    for (const close of opened.reverse())
      await close().catch((problem) => {
        failure ??= problem
      })
    if (failure) throw failure
  }

  return {
    add(close) {
      opened.push(close)
    },
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}

type Prepared = { context: Context; close: Close }

/** Opens the database (given or embedded), the schema and the context. Serves no requests yet. */
export async function prepare(
  config: Config,
  {
    print,
    log = makeLog(config.logLevel),
    programUrl,
    opened = collectOpened(),
  }: Opening & { opened?: Opened | undefined } = {},
): Promise<Prepared> {
  try {
    const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(config, { print, opened }))
    const tracing = config.tracing && (await import('./observability/trace-export.ts')).startTracing(config.tracing)
    if (tracing) opened.add(() => tracing.stop())
    const context = await openContext(config, databaseUrl, { print, log, programUrl })
    opened.add(async () => {
      await context.jobs.stop()
      await context.platforms.close()
      await context.providers.close()
      await context.files.close()
      await context.database.close()
    })
    return { context, close: opened.close }
  } catch (problem) {
    // The first failure says what to do.
    await opened.close().catch(() => undefined)
    throw problem
  }
}

async function startOwnDatabase(
  { dataDirectory }: Config,
  { print, opened }: Pick<Opening, 'print'> & { opened: Opened },
): Promise<string> {
  const starting = startEmbeddedPostgres({
    dataDirectory: join(dataDirectory, 'postgres'),
    log: print ?? (() => undefined),
    keep: true,
  })
  // Added before it is up: it is a process of its own, which a signal in between would leave behind.
  opened.add(async () => (await starting.catch(() => null))?.stop())
  return (await starting).url
}

/** A context for one command. Standard output carries only its result; start messages and the log go to standard error. */
export async function withContext<Result>(
  config: Config,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { context, close } = await prepare(config, {
    print: (what) => process.stderr.write(`${what}\n`),
    log: logBeside(config),
  })
  try {
    return await work(context)
  } finally {
    await close()
  }
}

type Serving = { app: FastifyInstance; stop(): Promise<void> }

/** Serves requests and runs jobs, by role. `stop` finishes current work first. */
export async function serve(context: Context): Promise<Serving> {
  const { config } = context
  if (config.production) await refuseDemoPeople(context)
  if (config.production) await refuseSimulators(context)
  const app = await buildApp(context)
  const sweeps: (() => void)[] = []
  const stopSweeping = (): void => {
    for (const stop of sweeps) stop()
  }
  try {
    sweeps.push(startClearingSpool(context), startEndingStale(context), startWatchingClock(context))
    if (config.roles.jobs) {
      await context.jobs.start(allJobs(context))
      sweeps.push(...startSweeps(context))
    }
    if (config.roles.web) sweeps.push(await startStoringBuild(context))
    await listen(app, config)
  } catch (problem) {
    stopSweeping()
    await app.close().catch(() => undefined)
    throw problem
  }
  const address = app.server.address()
  // Port 0 chose a free port, which links in mails need.
  if (config.port === 0 && typeof address === 'object' && address) config.port = address.port
  return {
    app,
    async stop() {
      stopSweeping()
      if (config.roles.web) await drain(app, config.drainMs)
      await app.close()
    },
  }
}

/** A host name that is not found fails in its look-up, as that of a database does. */
async function listen(app: FastifyInstance, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (problem) {
    throw problem instanceof Error ? Object.assign(problem, { syscall: 'listen' }) : problem
  }
}

/** The previous program may still be stopping. */
const portPatienceMs = 5_000

/**
 * Refuses a port that another program has, before the work of a first start, which takes minutes. Only listening itself
 * takes the port.
 */
export async function refuseTakenPort(
  { port, host }: Pick<Config, 'port' | 'host'>,
  { patienceMs = portPatienceMs } = {},
): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    const probe = createServer()
    try {
      probe.listen({ port, host })
      await once(probe, 'listening')
      return
    } catch (problem) {
      if (!(problem instanceof Error)) throw problem
      const isTaken = 'code' in problem && problem.code === 'EADDRINUSE'
      if (!isTaken || performance.now() > until) throw Object.assign(problem, { syscall: 'listen' })
    } finally {
      probe.close()
    }
    await delay(200)
  }
}

/** A launcher forwards a signal that the process group got already; a second one after a while comes from a person. */
const repeatMs = 1_000

/**
 * Runs `stop` on the first signal, also during the start; a later second one exits immediately. Returns whether there
 * was one: a step of the start that fails then fails because of it.
 */
export function stopOnSignals(stop: () => Promise<void>): () => boolean {
  let stoppingSince: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > repeatMs) process.exit(1)
        return
      }
      stoppingSince = performance.now()
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
  return () => stoppingSince !== undefined
}
