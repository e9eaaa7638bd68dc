import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { System } from '../foundation/actor.ts'
import { backupKey } from '../testing/backups.ts'
import { commandLine } from '../testing/command-line.ts'
import { type MadeGround, makeGround } from '../testing/ground.ts'
import { addMember, addWorkspace } from '../testing/harbour.ts'
import { addMedia } from '../testing/harbour-papers.ts'
import { addPlatform } from '../testing/harbour-platforms.ts'

/** What a program reads of a command: all of standard output is its answer, whatever else has to be told. */
let made: MadeGround
let north: System
before(async () => {
  made = await makeGround()
  north = await addWorkspace(made.ground, { subdomain: 'north' })
})
after(() => made.close())

const { adminWith } = commandLine(() => ({ databaseUrl: made.ownerUrl, folder: made.folder }))

const nowhere = {
  S3_BUCKET: 'papers',
  S3_ENDPOINT: 'http://127.0.0.1:1',
  S3_ACCESS_KEY_ID: 'atrium',
  S3_SECRET_ACCESS_KEY: 'of-this-test-alone',
}

test('a bucket that is away stands in the log, and the answer of a backup alone on standard output', async () => {
  const { memberId } = await addMember(north)
  await addMedia(north, { memberId })
  const backups = { ATRIUM_BACKUP_KEY: backupKey, ATRIUM_BACKUP_FOLDER: join(made.folder, 'backups') }
  const { code, out, err } = await adminWith({ ...nowhere, ...backups }, 'backup', 'make', '--json')
  assert.equal(code, 1, err)
  assert.equal(JSON.parse(out).code, 'failed')
  assert.match(err, /the bucket for uploaded files does not answer/)
})

test('a platform whose secret cannot be opened stands in the log, and the alarm alone on standard output', async () => {
  await addPlatform(north, { connection: { settings: {}, secret: { password: 'of-this-test-alone' } } })
  const otherKey = { ATRIUM_SECRET_KEY: 'another-0123456789-abcdefghijklmnopqrst', LOG_LEVEL: 'info' }
  const { code, out, err } = await adminWith(otherKey, 'platform', 'check', '--json')
  assert.equal(code, 3, err)
  assert.equal(JSON.parse(out).found.reports[0].findings[0].verdict, 'wrong')
  assert.match(err, /platform cannot be connected/)
})
