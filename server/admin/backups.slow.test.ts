// spec: OP backups
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { startStorage } from '../../tests/doubles/bucket.ts'
import { backupKey } from '../../tests/fixtures/backups.ts'
import { commandLine } from '../../tests/fixtures/command-line.ts'
import { type MadeContext, makeTestContext, productionMode } from '../../tests/fixtures/context.ts'
import { withDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addMember, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { programLogin } from '../foundation/database/program-login.ts'

let made: MadeContext
let north: System
let owner: pg.Client
let storage: Awaited<ReturnType<typeof startStorage>>
/** A fresh machine: a database without tables, and no folder. */
const elsewhere = { database: `atrium_restored_${randomBytes(6).toString('hex')}`, folder: '', databaseUrl: '' }
before(async () => {
  made = await makeTestContext()
  north = await addWorkspace(made.context, { subdomain: 'north' })
  const { memberId } = await addMember(north)
  await addMedia(north, { memberId, content: Buffer.alloc(300_000, 'a passport ') })
  storage = await startStorage()
  owner = await made.openOwner()
  await owner.query(`create database ${elsewhere.database}`)
  elsewhere.databaseUrl = withDatabase(made.ownerUrl, elsewhere.database)
  elsewhere.folder = mkdtempSync(join(tmpdir(), 'atrium-elsewhere-'))
})
after(async () => {
  await owner.query(`drop database ${elsewhere.database} with (force)`)
  await owner.query(`drop role if exists ${programLogin(elsewhere.database)}`)
  await storage.close()
  await made.close()
  rmSync(elsewhere.folder, { recursive: true, force: true })
})

const here = commandLine(() => ({ databaseUrl: made.ownerUrl, folder: made.folder }))
const there = commandLine(() => elsewhere)

const settings = (changes: Record<string, string> = {}): Record<string, string> => ({
  ATRIUM_SECRET_KEY: made.context.config.secretKey,
  ATRIUM_BACKUP_KEY: backupKey,
  BACKUP_S3_BUCKET: storage.bucket.name,
  BACKUP_S3_ENDPOINT: storage.bucket.endpoint ?? '',
  BACKUP_S3_ACCESS_KEY_ID: storage.bucket.accessKeyId,
  BACKUP_S3_SECRET_ACCESS_KEY: storage.bucket.secretAccessKey,
  ...changes,
})

test('backs up to a bucket and restores from it on a fresh machine', async () => {
  const made = await here.adminWith(settings(), 'backup', 'make', '--json')
  assert.equal(made.code, 0, made.err)
  const { backup, rows, files } = JSON.parse(made.out)
  assert.equal(files, 1)
  const checked = await there.adminWith(settings(), 'backup', 'check', '--json')
  assert.deepEqual(JSON.parse(checked.out), { backup, rows, files, wrong: [] })

  const restored = await there.adminWith(settings(), 'backup', 'restore', '--json')
  assert.equal(restored.code, 0, restored.err)
  assert.deepEqual(JSON.parse(restored.out), { backup, rows, files, wrong: [] })

  const again = await there.adminWith(settings(), 'backup', 'restore')
  assert.deepEqual([again.code, /is not empty/.test(again.err)], [1, true], again.err)
  await addMember(north)
  const changed = await here.adminWith(settings(), 'backup', 'verify')
  assert.deepEqual([changed.code, /members has 2 rows/.test(changed.err)], [3, true], changed.err)
  const asJson = await here.adminWith(settings(), 'backup', 'verify', '--json')
  const { code, found } = JSON.parse(asJson.out)
  assert.deepEqual([asJson.code, code, found.backup], [3, 'alarm', backup])
  assert.match(found.wrong.join(), /members has 2 rows/)
})

test('explains a refused backup command in one sentence, with its error code', async () => {
  const otherKey = settings({ ATRIUM_BACKUP_KEY: `${backupKey}x` })
  const refused = await here.adminWith(otherKey, 'backup', 'check')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /^backups\/[0-9a-z-]+\/contents was encrypted with another ATRIUM_BACKUP_KEY\.\n$/)
  assert.equal((await here.adminWith(settings(), 'backup', 'clear', '0')).code, 2)
  const name = new URL(made.ownerUrl).pathname.slice(1)
  const notACopy = await here.admin('copy', 'anonymise', name)
  assert.deepEqual([notACopy.code, /must end in _copy/.test(notACopy.err)], [1, true], notACopy.err)
  const inProduction = await here.adminWith(productionMode, 'copy', 'anonymise', `${name}_copy`)
  assert.deepEqual([inProduction.code, /NODE_ENV is production/.test(inProduction.err)], [1, true], inProduction.err)
})

test('lists backups and deletes old ones', async () => {
  const listed = await here.adminWith(settings(), 'backup', 'list', '--json')
  const [whole, ...others] = JSON.parse(listed.out)
  assert.deepEqual([whole?.is_whole, others], [true, []])
  const cleared = await here.adminWith(settings(), 'backup', 'clear', '1', '--json')
  assert.deepEqual(JSON.parse(cleared.out), { kept: [whole.backup], removed: [], files_removed: 0 })
})
