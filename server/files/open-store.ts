import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { ProgramLog } from '../foundation/log.ts'
import { describeProblem } from '../foundation/log.ts'
import { type FileStore, openFolderStore } from './store.ts'

/** A bucket where one is named, else a folder. A bucket that does not answer keeps nobody from signing in: it is only told. */
export async function openFileStore(config: Config, log: ProgramLog): Promise<FileStore> {
  if (!config.bucket) return openFolderStore(join(config.dataDirectory, 'files'))
  // Loaded only where it is used: it is the largest library that the server has.
  const { openBucketStore } = await import('./s3-store.ts')
  const store = openBucketStore(config.bucket, { log })
  store.check().catch((problem: unknown) => {
    log.error({ err: describeProblem(problem) }, 'the bucket for uploaded files does not answer')
  })
  return store
}
