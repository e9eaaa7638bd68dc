import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type Opening, openContext } from './context.ts'
import { allJobs, startSweeps } from './domains.ts'
import { startClearingSpool } from './files/jobs.ts'
import type { Context } from './foundation/context.ts'
import { drain } from './http/draining.ts'
import { logBeside, makeLog } from './observability/log.ts'
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import { startStoringBuild } from './web-builds/store-build.ts'
import { refuseDemoPeople } from './workspaces/demo-people.ts'
import { refuseSimulators } from './workspaces/simulators.ts'

type Prepared = { context: Context; close(): Promise<void> }

/** Opens the database (given or embedded), the schema and the context. Serves no requests yet. */
export async function prepare(
  config: Config,
  { print, log = makeLog(config.logLevel), programUrl }: Opening = {},
): Promise<Prepared> {
  const dataDirectory = join(config.dataDirectory, 'postgres')
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDirectory, log: print ?? (() => undefined), keep: true })
  const tracing = config.tracing && (await import('./observability/trace-export.ts')).startTracing(config.tracing)
  try {
    const context = await openContext(config, config.databaseUrl ?? embedded?.url ?? '', { print, log, programUrl })
    const close = async (): Promise<void> => {
      await context.jobs.stop()
      await context.platforms.close()
      await context.providers.close()
      await context.files.close()
      await context.database.close()
      await tracing?.stop()
      await embedded?.stop()
    }
    return { context, close }
  } catch (problem) {
    await embedded?.stop()
    throw problem
  }
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
  const sweeps: (() => void)[] = [startClearingSpool(context)]
  if (config.roles.jobs) {
    await context.jobs.start(allJobs(context))
    sweeps.push(...startSweeps(context))
  }
  if (config.roles.web) sweeps.push(await startStoringBuild(context))
  await listen(app, config)
  const address = app.server.address()
  // Port 0 chose a free port, which links in mails need.
  if (config.port === 0 && typeof address === 'object' && address) config.port = address.port
  return {
    app,
    async stop() {
      for (const stopSweeping of sweeps) stopSweeping()
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

/** A launcher forwards a signal that the process group got already; a second one after a while comes from a person. */
const repeatMs = 1_000

/** Runs `stop` on the first signal; a later second one exits immediately. */
export function stopOnSignals(stop: () => Promise<void>): void {
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
}
