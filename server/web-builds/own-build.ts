import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isAssetName, openNames } from './asset-names.ts'

/** The web as it was built beside this program. */
export type OwnBuild = {
  /** The same in every process of one build, and in no other build. */
  id: string
  folder: string
  assets: { name: string; isPacked: boolean; isOpen: boolean }[]
  isOpen(name: string): boolean
}

/** Null where nothing was built. Names are enough to tell builds apart: each holds the hash of what is in it. */
export function readOwnBuild(webDirectory: string): OwnBuild | null {
  const folder = join(webDirectory, 'assets')
  if (!existsSync(folder)) return null
  const page = join(webDirectory, 'viewer', 'index.html')
  const isOpen = openNames(existsSync(page) ? readFileSync(page, 'utf8') : null)
  const files = new Set(readdirSync(folder, { recursive: true }).map((name) => String(name).replaceAll(sep, '/')))
  const assets = [...files]
    .filter(isAssetName)
    .sort()
    .map((name) => ({ name, isPacked: files.has(`${name}.br`), isOpen: isOpen(name) }))
  const id = createHash('sha256').update(JSON.stringify(assets)).digest('hex')
  return { id, folder, assets, isOpen }
}
