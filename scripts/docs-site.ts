/**
 * `npm run docs`: builds a searchable site of all documents in docs/site/dist. The generator (100 MB) is not a
 * dependency of the project: it is installed here, by its own lockfile.
 */

import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findDocuments } from './generate/docs.ts'
import { repository, setUp } from './setup.js'

const site = join(repository, 'docs', 'site')
const pages = join(site, 'pages')

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ended with ${status}.`)
}

/** The pages are copied beside the generator's packages, since imports resolve from the page's folder upwards. */
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
