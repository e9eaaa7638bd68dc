import { launch, main } from './launch.js'
import { setUp } from './setup.js'

await main(async (args) => {
  await setUp({ build: true }) // So that the first page is there before the watching build has looked at everything.
  const server = launch(['--watch', '--watch-preserve-output', 'demo/start.ts', '--dev', ...args])
  const web = launch(['node_modules/vite/bin/vite.js', 'build', '--watch', '--config', 'web/vite.config.ts'])
  const code = await Promise.race([server, web])
  process.kill(process.pid, 'SIGTERM') // One without the other is no development: passed on to whichever is left.
  await Promise.all([server, web])
  return code
})
