import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

type Locked = {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  inBundle?: boolean
  optional?: boolean
}
type Lock = { packages: Record<string, Locked> }
type Manifest = Record<string, unknown> & { workspaces?: string[] }

/** What is wrong with how dependencies are pinned and installed; empty when nothing is. */
export function checkLockfile(root: string): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown
  const lock = read('package-lock.json') as Lock
  const folders = ['', ...((read('package.json') as Manifest).workspaces ?? [])]
  const manifests = folders.map((folder) => [folder, read(join(folder, 'package.json')) as Manifest] as const)
  return [
    ...Object.entries(lock.packages).flatMap(([path, entry]) => checkEntry(path, entry)),
    ...manifests.flatMap(([folder, manifest]) => checkManifest(join(folder, 'package.json'), manifest)),
    ...manifests.flatMap(([folder, manifest]) => checkKnown(folder, manifest, lock)),
    ...checkInstalled(read('node_modules/.package-lock.json') as Lock, lock),
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

/** The lockfile repeats what each package.json asked for when it was written. */
export function checkKnown(folder: string, manifest: Manifest, lock: Lock): string[] {
  const known = (lock.packages[folder] ?? {}) as Manifest
  return dependencyFields
    .filter((field) => !isDeepStrictEqual(known[field] ?? {}, manifest[field] ?? {}))
    .map((field) => `package-lock.json does not know the ${field} of ${join(folder, 'package.json')}: run npm install`)
}

/** A lockfile may lack what only other platforms install; what is installed otherwise is what it names. */
export function checkInstalled(installed: Lock, lock: Lock): string[] {
  return Object.entries(installed.packages).flatMap(([path, { version, integrity, optional }]) => {
    const named = lock.packages[path]
    if (!named) return optional ? [] : [`node_modules: ${path} ${version} is not in package-lock.json`]
    const isSame = named.version === version && (named.integrity === integrity || integrity === undefined)
    return isSame
      ? []
      : [`node_modules: ${path} ${version} is not the one that package-lock.json names (${named.version})`]
  })
}
