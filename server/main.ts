import { readConfig } from './config.ts'
import { version } from './foundation/database/version.ts'

const config = await orEnd(() => readConfig(process.env))
// Imported after the settings are read, so that wrong settings are reported immediately.
const { collectOpened, prepare, serve, stopOnSignals } = await import('./start.ts')
const opened = collectOpened()
const isStopping = stopOnSignals(opened.close)
const start = { isStopping, close: opened.close }
const { context } = await orEnd(() => prepare(config, { opened }), start)
const { stop } = await orEnd(() => serve(context), start)
opened.add(stop)
context.log.info({ version, port: config.port, roles: config.roles }, 'Atrium is up')

type Start = { isStopping(): boolean; close(): Promise<void> }

/** Prints a sentence for a problem that the operator can fix; any other error keeps its stack. */
async function orEnd<Result>(step: () => Result | Promise<Result>, begun?: Start): Promise<Result> {
  try {
    return await step()
  } catch (problem) {
    // After a signal a step fails because of it, and the signal's own stop ends the process.
    if (begun?.isStopping()) await new Promise(() => undefined)
    const { explainStart } = await import('./start-problem.ts')
    const sentence = explainStart(problem)
    if (sentence !== null) process.stderr.write(`${sentence}\n`)
    await begun?.close().catch(() => undefined)
    if (sentence === null) throw problem
    process.exit(1)
  }
}
