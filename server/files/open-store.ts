import { join } from 'node:path'
import type { Config } from '../config.ts'
import { onceProven } from '../foundation/pending-proof.ts'
import type { ProgramLog } from '../observability/log.ts'
import { type FileStore, openFolderStore } from './store.ts'

/**
 * A bucket if one is configured, which it creates if missing, else a folder. A bucket that fails or refuses is logged
 * and does not prevent sign-ins.
 */
export async function openFileStore(config: Config, log: ProgramLog): Promise<FileStore> {
  const store = await openStore(config, log)
  return {
    ...store,
    // No file is written, read or removed for a remembered person whose proof is not repeated yet.
    write: (key, content) => onceProven(() => store.write(key, content)),
    read: (key, range, chunkBytes) => onceProven(() => store.read(key, range, chunkBytes)),
    remove: (key) => onceProven(() => store.remove(key)),
  }
}

async function openStore(config: Config, log: ProgramLog): Promise<FileStore> {
  if (!config.bucket) return openFolderStore(join(config.dataDirectory, 'files'))
  // Imported only where used: it is the server's largest library.
  const { openBucketStore } = await import('./s3-store.ts')
  const store = openBucketStore(config.bucket, { log })
  const { name } = config.bucket
  store.prepare().then(
    (state) => state === 'made' && log.info({ bucket: name }, 'The bucket for uploaded files was created'),
    (problem: Error) =>
      log.error({ bucket: name, reason: problem.message }, 'The bucket for uploaded files cannot be used (S3_BUCKET)'),
  )
  return store
}
