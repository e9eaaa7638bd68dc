/**
 * The server of `npm run dev`, which replaces it on save. It loads the packages in advance, starts on a message and
 * answers with its port.
 */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const manifest = new URL('../server/package.json', import.meta.url)
const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> }
const packages = Object.keys(dependencies).filter((name) => !/^(@atrium\/|pdfjs-dist)/.test(name))
await Promise.allSettled(packages.map((name) => import(name)))

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
await once(process, 'message')
const { readConfig } = await import('../server/config.ts')
const { prepare, serve, stopOnSignals } = await import('../server/start.ts')
const { context, close } = await prepare(readConfig(process.env))
const { app, stop } = await serve(context)
stopOnSignals(async () => {
  await stop()
  await close()
})
const address = app.server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
