import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Binaries, locateBinaries } from './postgres-binaries.ts'
import { chownTo, locateCluster, outsideFolders, type Runner } from './postgres-location.ts'

export type Cluster = {
  folder: string
  path: string
  password: string
  runner: Runner
  binaries: Binaries
  log: (message: string) => void
}

/** The superuser that owns the database. */
export const owner = 'atrium_owner'

type Options = { log?: (message: string) => void; outside?: string[] }

/** The cluster of this data folder, created if it is missing. */
export function prepareCluster(folder: string, options: Options): Cluster {
  const log = options.log ?? (() => undefined)
  const outside = options.outside ?? outsideFolders
  const { runner, place } = locateCluster(folder, outside)
  if (place !== folder)
    log(`The database lies in ${place}: PostgreSQL does not run as root, and may not enter ${folder}`)
  const binaries = locateBinaries(runner, process.getuid?.() === 0 ? outside : [folder])
  const path = join(place, 'cluster')
  const passwordFile = join(folder, 'owner-password')
  if (!existsSync(path)) createCluster({ binaries, runner, path, passwordFile }, log)
  checkVersion(path, binaries)
  return { folder, path, password: readFileSync(passwordFile, 'utf8').trim(), runner, binaries, log }
}

/** Created under a temporary name and renamed when complete, so that an interrupted start leaves no broken cluster. */
function createCluster(
  { binaries, runner, path, passwordFile }: Pick<Cluster, 'binaries' | 'runner' | 'path'> & { passwordFile: string },
  log: (message: string) => void,
) {
  log('Creating the database')
  const unfinished = `${path}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const password = randomBytes(24).toString('base64url')
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  mkdirSync(unfinished, { mode: 0o700 })
  chownTo(unfinished, runner)
  // The PostgreSQL user cannot read our file, and initdb needs an empty folder, so a second file exists while it runs.
  const pwfile = `${path}.pw`
  rmSync(pwfile, { force: true })
  writeFileSync(pwfile, `${password}\n`, { mode: 0o600 })
  chownTo(pwfile, runner)
  try {
    runInitdb(binaries, runner, ['-D', unfinished, `--pwfile=${pwfile}`])
  } catch (problem) {
    // A full disk is not filled further by what cannot be used.
    rmSync(unfinished, { recursive: true, force: true })
    throw problem
  } finally {
    rmSync(pwfile, { force: true })
  }
  renameSync(unfinished, path)
}

function runInitdb(binaries: Binaries, runner: Runner, args: string[]) {
  const fixed = ['-U', owner, '--auth=scram-sha-256', '--encoding=UTF8', '--no-instructions', '--no-locale']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = {
    ...runner,
    cwd: dirname(binaries.initdb),
    env: cleanEnvironment(),
    stdio: 'pipe',
    encoding: 'utf8',
  } as const
  try {
    execFileSync(binaries.initdb, [...fixed, ...locale, ...args], options)
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : ''
    throw isDiskFull(said)
      ? new Error(diskFull)
      : new Error(`PostgreSQL could not create its database: ${said.trim()}`, { cause })
  }
}

/** What PostgreSQL writes, in any of its messages. */
export const isDiskFull = (said: string): boolean => said.includes('No space left on device')

export const diskFull = 'The disk is full, and PostgreSQL cannot start. Free some space and start again.'

function checkVersion(path: string, binaries: Binaries) {
  const found = Number(readFileSync(join(path, 'PG_VERSION'), 'utf8'))
  if (found === binaries.majorVersion) return
  throw new Error(
    `The database in ${path} was made by PostgreSQL ${found}; this version of Atrium brings ${binaries.majorVersion}. ` +
      'Dump it with the earlier version of Atrium and load the dump into an empty folder.',
  )
}

/** PG* variables would redirect the programs to another server, port or data folder. */
export function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name)))
}
