/**
 * The server of `npm run dev`, which replaces it on save; it receives the names of changed files, and answers `Start`
 * with its port. With `--ahead` it loads its modules before it is told to start, and reports that.
 */

import { openModuleCache } from './module-cache.ts'

/** `programUrl`: the database is migrated, and the program's role opens it here. */
type Start = { programUrl: string | undefined }
export type Message = Start | { changed: string }

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.ref() // The launcher's preloaded script unrefs it, so the process would end while it waits.
const modules = process.argv.includes('--ahead') ? openModuleCache() : null
const { promise: asked, resolve: start } = Promise.withResolvers<Start>()
process.on('message', (message: Message) => ('changed' in message ? modules?.forget(message.changed) : start(message)))
await modules?.warm(new URL('../server/start.ts', import.meta.url))
if (modules) process.send?.('loaded')
const { programUrl } = await asked
const { readConfig } = await import('../server/config.ts')
const { prepare, serve, stopOnSignals } = await import('../server/start.ts')
const { context, close } = await prepare(readConfig(process.env), { programUrl })
const { app, stop } = await serve(context)
stopOnSignals(async () => {
  await stop()
  await close()
})
const address = app.server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
