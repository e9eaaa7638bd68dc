import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findDocuments } from './generate/docs.ts'
import { repository, setUp } from './setup.js'

/**
 * `npm run docs`: every page of the repository as a site with search, in docs/site/dist. Its generator is no dependency of the
 * project: 100 MB that nobody needs who runs or tests Atrium are installed here, by a lockfile of their own.
 */
const site = join(repository, 'docs', 'site')
const pages = join(site, 'pages')

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ended with ${status}.`)
}

/** Beside the generator's packages, since what a page imports is looked for from its own place upwards. */
function stagePages(): void {
  rmSync(pages, { recursive: true, force: true })
  const files = [
    ...findDocuments(repository),
    ...globSync('docs/{pictures,developers}/*.{png,svg}', { cwd: repository }),
  ]
  for (const file of files) {
    mkdirSync(dirname(join(pages, file)), { recursive: true })
    copyFileSync(join(repository, file), join(pages, file))
  }
}

await setUp({ build: false, root: site })
stagePages()
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'])
console.log(join(site, 'dist'))
