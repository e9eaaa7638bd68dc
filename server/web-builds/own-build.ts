import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isAssetName, openNames } from './asset-names.ts'

/** The web build that belongs to this program. */
export type OwnBuild = {
  /** The same in every process of a build, and different for each build. */
  id: string
  folder: string
  assets: { name: string; isPacked: boolean; isOpen: boolean }[]
  isOpen(name: string): boolean
}

/** Null without a build. The asset names identify it, because they contain content hashes. */
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
