import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openContext, type Telling } from './context.ts'
import { allJobs, startSweeps } from './domains.ts'
import { startClearingSpool } from './files/jobs.ts'
import type { Context } from './foundation/context.ts'
import { leave } from './http/leaving.ts'
import { logBeside, makeLog } from './observability/log.ts'
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import { startKeepingBuild } from './web-builds/keeping.ts'
import { refuseDemoPeople } from './workspaces/demo-people.ts'
import { refuseSimulators } from './workspaces/simulators.ts'

type Prepared = { context: Context; close(): Promise<void> }

/** Database (given or our own), schema, and everything a unit of work stands on. Nothing answers requests yet. */
export async function prepare(
  config: Config,
  { say, log = makeLog(config.logLevel) }: Telling = {},
): Promise<Prepared> {
  const dataDirectory = join(config.dataDirectory, 'postgres')
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDirectory, log: say ?? (() => undefined), keep: true })
  const tracing = config.tracing && (await import('./observability/trace-export.ts')).startTracing(config.tracing)
  try {
    const context = await openContext(config, config.databaseUrl ?? embedded?.url ?? '', { say, log })
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

/** A context for one piece of work. Its answer alone stands on standard output; what came up is told beside it, and so is the log. */
export async function withContext<Result>(
  config: Config,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { context, close } = await prepare(config, {
    say: (what) => process.stderr.write(`${what}\n`),
    log: logBeside(config),
  })
  try {
    return await work(context)
  } finally {
    await close()
  }
}

type Serving = { app: FastifyInstance; stop(): Promise<void> }

/** Answers requests and runs jobs, as the roles say. `stop` finishes what is under way first. */
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
  if (config.roles.web) sweeps.push(await startKeepingBuild(context))
  await app.listen({ port: config.port, host: config.host })
  const address = app.server.address()
  // Port 0 took a free one, and links in mails have to name it.
  if (config.port === 0 && typeof address === 'object' && address) config.port = address.port
  return {
    app,
    async stop() {
      for (const stopSweeping of sweeps) stopSweeping()
      if (config.roles.web) await leave(app, config.drainMs)
      await app.close()
    },
  }
}

/** A launcher passes a signal on that its whole group got already; only a person presses twice after a while. */
const repeatMs = 1_000

/** Runs `stop` once on the first signal; a second one, given later, ends the process at once. */
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
