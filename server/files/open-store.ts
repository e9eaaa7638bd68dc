import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { ProgramLog } from '../observability/log.ts'
import { type FileStore, openFolderStore } from './store.ts'

/**
 * A bucket where one is named, else a folder. A bucket that is not there is made. One that does not answer, or refuses, keeps
 * nobody from signing in: it is only told.
 */
export async function openFileStore(config: Config, log: ProgramLog): Promise<FileStore> {
  if (!config.bucket) return openFolderStore(join(config.dataDirectory, 'files'))
  // Loaded only where it is used: it is the largest library that the server has.
  const { openBucketStore } = await import('./s3-store.ts')
  const store = openBucketStore(config.bucket, { log })
  const { name } = config.bucket
  store.prepare().then(
    (state) =>
      state === 'made' && log.info({ bucket: name }, 'The bucket for uploaded files was not there, and was made'),
    (problem: Error) =>
      log.error({ bucket: name, reason: problem.message }, 'The bucket for uploaded files cannot be used (S3_BUCKET)'),
  )
  return store
}
