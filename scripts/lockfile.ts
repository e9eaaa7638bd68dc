import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = { version?: string; integrity?: string; resolved?: string; link?: boolean; inBundle?: boolean }
type Manifest = Record<string, unknown> & { workspaces?: string[] }

/** What is wrong with how dependencies are pinned; empty when nothing is. */
export function checkLockfile(root: string): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown
  const lock = read('package-lock.json') as { packages: Record<string, Locked> }
  const workspaces = (read('package.json') as Manifest).workspaces ?? []
  const manifests = ['', ...workspaces].map((folder) => join(folder, 'package.json'))
  return [
    ...Object.entries(lock.packages).flatMap(([path, entry]) => checkEntry(path, entry)),
    ...manifests.flatMap((file) => checkManifest(file, read(file) as Manifest)),
  ]
}

export function checkEntry(path: string, entry: Locked): string[] {
  const isOurs = !path.includes('node_modules/') || entry.link === true
  if (isOurs) return []
  return [
    entry.resolved && `package-lock.json: ${path} names an address (${entry.resolved})`,
    !entry.integrity && !entry.inBundle && `package-lock.json: ${path} has no integrity`,
  ].filter((problem) => typeof problem === 'string' && problem !== '') as string[]
}

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

export function checkManifest(file: string, manifest: Manifest): string[] {
  const versions = dependencyFields.flatMap((field) =>
    Object.entries((manifest[field] ?? {}) as Record<string, string>),
  )
  return versions
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/i.test(version))
    .map(([name, version]) => `${file}: ${name} is not pinned to one version (${version})`)
}
