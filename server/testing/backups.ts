import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Archive } from '../backup/archive.ts'
import { type Contents, chooseBackup } from '../backup/contents.ts'
import { type MadeBackup, makeBackup } from '../backup/make.ts'
import { restoreBackup } from '../backup/restore.ts'
import { makeBackupKey } from '../backup/sealing.ts'
import { openFolderStore } from '../files/store.ts'
import { freshDatabase } from './fresh-database.ts'
import { type MadeGround, makeGround } from './ground.ts'

export const backupKey = 'tests-only-0123456789-backups-of-tests'

/** Backups in a folder of their own. */
export function makeArchive(key = backupKey): { archive: Archive; folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-backups-'))
  const archive = { store: openFolderStore(folder), key: makeBackupKey(key), spool: join(folder, 'spool') }
  return { archive, folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export function backUp(archive: Archive, { ground, ownerUrl }: MadeGround): Promise<MadeBackup> {
  return makeBackup(archive, { databaseUrl: ownerUrl, files: ground.files, now: ground.clock.now() })
}

/** Another machine: an empty database and an empty store, what the backup holds, and only then a program on it. */
export async function restoreElsewhere(
  archive: Archive,
  { ground: { config, clock } }: MadeGround,
  named?: string,
): Promise<MadeGround & { contents: Contents }> {
  const database = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'atrium-restored-'))
  try {
    const contents = await chooseBackup(archive, named)
    await restoreBackup(archive, contents, {
      databaseUrl: database.ownerUrl,
      files: openFolderStore(join(folder, 'files')),
      now: clock.now(),
    })
    const environment = { ATRIUM_SECRET_KEY: config.secretKey }
    const made = await makeGround({ database, environment, folder, startAt: clock.now() })
    return { ...made, contents }
  } catch (problem) {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
    throw problem
  }
}
