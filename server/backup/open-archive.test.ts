import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStorage } from '../../tests/doubles/bucket.ts'
import { readConfig } from '../config.ts'
import { listBackups } from './contents.ts'
import { openArchive } from './open-archive.ts'
import { BackupProblem } from './problem.ts'

const key = 'tests-only-0123456789-backups-of-tests'
const open = (environment: Record<string, string>) =>
  openArchive(readConfig({ NODE_ENV: 'test', ATRIUM_SECRET_KEY: `${key}-2`, ...environment }))

test('requires a key and one place, and names the missing setting', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ ATRIUM_BACKUP_FOLDER: '/tmp/none' }, /ATRIUM_BACKUP_KEY is not set/],
    [{ ATRIUM_BACKUP_KEY: key }, /either ATRIUM_BACKUP_FOLDER or BACKUP_S3_BUCKET/],
  ]
  for (const [environment, sentence] of cases)
    await assert.rejects(
      open(environment),
      (problem) => problem instanceof BackupProblem && sentence.test(problem.message),
    )
  const keyless = { ATRIUM_BACKUP_KEY: key, BACKUP_S3_BUCKET: 'backups' }
  await assert.rejects(async () => open(keyless), /BACKUP_S3_ACCESS_KEY_ID: must be set, as its bucket is/)
})

test('opens a bucket that answers, and refuses a folder and a bucket together', async () => {
  const storage = await startStorage()
  const { name, endpoint, accessKeyId, secretAccessKey } = storage.bucket
  const environment = {
    ATRIUM_BACKUP_KEY: key,
    BACKUP_S3_BUCKET: name,
    BACKUP_S3_ENDPOINT: endpoint ?? '',
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  try {
    const { store } = await open(environment)
    await store.write('files/one', Buffer.from('bytes'))
    const stored = await store.read('files/one')
    assert.ok(stored)
    stored.destroy()
    await store.close()
    await assert.rejects(open({ ...environment, ATRIUM_BACKUP_FOLDER: '/tmp/none' }), /either ATRIUM_BACKUP_FOLDER or/)
    const other = await open({ ...environment, BACKUP_S3_BUCKET: 'another-one' })
    await assert.rejects(listBackups(other), /The bucket refused the request \(NoSuchBucket\)/)
    // As the first backup does (server/admin/backups.ts).
    assert.equal(await other.store.prepare?.(), 'made')
    assert.deepEqual(await listBackups(other), [])
    await other.store.close()
  } finally {
    await storage.close()
  }
})
