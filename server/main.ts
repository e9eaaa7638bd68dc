import { readConfig } from './config.ts'
import { version } from './foundation/database/version.ts'

const config = await orEnd(() => readConfig(process.env))
// Imported after the settings are read, so that wrong settings are reported immediately.
const { prepare, serve, stopOnSignals } = await import('./start.ts')
const { context, close } = await orEnd(() => prepare(config))
const { stop } = await orEnd(() => serve(context), close)
stopOnSignals(async () => {
  await stop()
  await close()
})
context.log.info({ version, port: config.port, roles: config.roles }, 'Atrium is up')

/** Prints a sentence for a problem that the operator can fix; any other error keeps its stack. */
async function orEnd<Result>(step: () => Result | Promise<Result>, undo?: () => Promise<void>): Promise<Result> {
  try {
    return await step()
  } catch (problem) {
    const { explainStart } = await import('./start-problem.ts')
    const sentence = explainStart(problem)
    if (sentence === null) throw problem
    process.stderr.write(`${sentence}\n`)
    await undo?.()
    process.exit(1)
  }
}
