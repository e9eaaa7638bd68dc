import type { Config } from '../config.ts'
import { spoolFolder } from '../files/spool.ts'
import { openFolderStore } from '../files/store.ts'
import type { Archive } from './archive.ts'
import { BackupProblem } from './problem.ts'
import { makeBackupKey } from './sealing.ts'

/** The archive of this installation, from its settings. */
export async function openArchive({ backup, dataDirectory }: Config): Promise<Archive> {
  if (!backup.key)
    throw new BackupProblem('ATRIUM_BACKUP_KEY is not set; make one and keep it elsewhere: openssl rand -base64 32')
  if (!backup.folder === !backup.bucket)
    throw new BackupProblem('Set where backups are stored: either ATRIUM_BACKUP_FOLDER or BACKUP_S3_BUCKET.')
  const key = makeBackupKey(backup.key)
  const spool = spoolFolder(dataDirectory)
  if (backup.folder) return { store: openFolderStore(backup.folder), key, spool }
  const { openBucketStore } = await import('../files/s3-store.ts')
  if (!backup.bucket) throw new Error('There is no bucket.')
  return { store: openBucketStore(backup.bucket), key, spool }
}
