import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The user PostgreSQL runs as; empty means the current user. PostgreSQL refuses to run as root. */
export type Runner = { uid?: number; gid?: number }

export type Location = {
  runner: Runner
  /** The folder that contains the cluster, as `cluster`. */
  place: string
}

/**
 * Locations when the PostgreSQL user cannot enter our folder. `/var/lib/atrium` is the unit's own
 * (deploy/atrium.service).
 */
export const outsideFolders = ['/var/lib/atrium-clusters', '/var/tmp/atrium-clusters']

const placeNote = 'place'

/**
 * The cluster is in `folder`, unless the process is root and the PostgreSQL user cannot enter there; then it is in one
 * of `outside`, and the file `place` in `folder` records where.
 */
export function locateCluster(folder: string, outside: string[]): Location {
  mkdirSync(folder, { recursive: true })
  const place = notedPlace(folder) ?? folder
  const cluster = join(place, 'cluster')
  if (process.getuid?.() !== 0) return { runner: {}, place: ownPlace(place, cluster) }
  if (existsSync(cluster)) return { runner: reach(ownerOf(cluster), place), place }
  const runner = nobody()
  if (canEnter(place, runner) && canBeGiven(place, runner)) return { runner, place }
  return { runner, place: placeOutside(folder, outside, runner) }
}

/** Whether a database exists here; creates nothing. */
export function isClusterThere(folder: string): boolean {
  return existsSync(join(notedPlace(folder) ?? folder, 'cluster'))
}

function notedPlace(folder: string) {
  const note = join(folder, placeNote)
  const place = existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined
  if (place === undefined || existsSync(place)) return place
  throw new Error(
    `The database was in ${place}, which no longer exists. Restore the folder, or delete ${note} to start with an empty database.`,
  )
}

function ownPlace(place: string, cluster: string) {
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.getuid?.() || process.platform === 'win32') return place
  throw new Error(
    `The database in ${cluster} belongs to the user with the id ${owner}. ` +
      'Start as the user who started it before, or choose another folder with ATRIUM_DATA.',
  )
}

/** The owner of an existing cluster runs it, so that a start by root does not change the ownership of a user's data. */
function ownerOf(cluster: string): Runner {
  const { uid, gid } = statSync(cluster)
  if (uid !== 0) return { uid, gid }
  const runner = nobody()
  throw new Error(
    `The database in ${cluster} belongs to root, which cannot run PostgreSQL: chown -R ${runner.uid}:${runner.gid} it.`,
  )
}

function reach(runner: Runner, place: string) {
  if (canEnter(place, runner)) return runner
  throw new Error(
    `The database in ${place} belongs to the user with the id ${runner.uid}, who may no longer enter that folder. ` +
      'Restore its execute permission (chmod o+x) on the folders above.',
  )
}

export function nobody(passwd = '/etc/passwd'): Required<Runner> {
  const line = existsSync(passwd) ? /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync(passwd, 'utf8')) : null
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : { uid: 65534, gid: 65534 }
}

/** Checks permission bits only; a conflicting access control list shows as an error of initdb. */
export function canEnter(folder: string, { uid, gid }: Runner): boolean {
  for (let here = resolve(folder); ; here = dirname(here)) {
    const stat = statSync(here)
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001
    if ((stat.mode & bit) === 0) return false
    if (here === dirname(here)) return true
  }
}

/** Some shared and network folders do not let root change ownership. */
function canBeGiven(place: string, runner: Runner) {
  const probe = join(place, 'cluster.new')
  try {
    mkdirSync(probe, { recursive: true })
    chownTo(probe, runner)
    return statSync(probe).uid === runner.uid
  } catch (error) {
    if (isCode(error, 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP')) return false
    throw error
  }
}

export function chownTo(path: string, { uid, gid }: Runner) {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

function placeOutside(folder: string, outside: string[], runner: Runner) {
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12)
  for (const base of outside) {
    // Random as well, because a folder deleted and created again is a new installation and must not adopt the old data.
    const place = join(base, `${name}-${randomBytes(3).toString('hex')}`)
    if (!makeTrusted(base) || !makeTrusted(place) || !canEnter(place, runner) || !canBeGiven(place, runner)) continue
    writeFileSync(join(place, 'belongs-to'), `${resolve(folder)}\n`)
    writeFileSync(join(folder, placeNote), `${place}\n`)
    return place
  }
  throw new Error(
    `PostgreSQL cannot run as root, and the user with the id ${runner.uid} can neither enter ${folder} ` +
      `nor a folder in ${outside.join(', ')}. Give an address with DATABASE_URL or another folder with ATRIUM_DATA.`,
  )
}

export function isCode(error: unknown, ...codes: string[]) {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Anyone can write to /var/tmp, so a folder owned by another user is not trusted. */
export function makeTrusted(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const stat = lstatSync(folder)
    if (!stat.isDirectory() || stat.uid !== 0) return false
    chmodSync(folder, 0o755) // Regardless of the umask, the PostgreSQL user may enter and only root may write.
    return true
  } catch (error) {
    if (isCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EEXIST', 'ENOTDIR')) return false
    throw error
  }
}
