import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type FolderLock = { release(): void }

export class FolderInUse extends Error {
  constructor(folder: string, holder: string) {
    super(
      `The data in ${folder} is in use by process ${holder}. ` +
        'Stop that one first, or give this one another folder with ATRIUM_DATA.',
    )
  }
}

/**
 * One running program per folder, by a kernel file lock (through SQLite, which Node supports), which ends with its
 * process in every case. Rejected: a PID file, because ids are reused and two containers on one volume cannot see each
 * other's processes.
 */
export function lockFolder(folder: string): FolderLock {
  const holderFile = join(folder, 'lock-holder')
  const file = join(folder, 'lock')
  // Read access would be enough to lock it. An existing file is never opened: closing any handle drops our lock.
  if (!existsSync(file)) writeFileSync(file, '', { mode: 0o600 })
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw isBusy(error) ? new FolderInUse(folder, readHolder(holderFile)) : error
  }
  // Removed first: an earlier holder may have been another user, whose file can be replaced but not written.
  rmSync(holderFile, { force: true })
  writeFileSync(holderFile, `${process.pid}\n`)
  return {
    release() {
      if (!database.isOpen) return
      rmSync(holderFile, { force: true })
      database.close()
    },
  }
}

function isBusy(error: unknown) {
  return error instanceof Error && 'errcode' in error && error.errcode === 5 // SQLITE_BUSY
}

function readHolder(holderFile: string) {
  try {
    return readFileSync(holderFile, 'utf8').trim()
  } catch {
    return '(unknown)' // It holds the lock and has not written its id yet.
  }
}
