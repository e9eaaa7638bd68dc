/** Commands without DATABASE_URL where no server has created an embedded database. */

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { backupKey } from '../../tests/fixtures/backups.ts'
import { commandsWithoutAddress } from '../../tests/fixtures/command-line.ts'

let base: string
before(() => {
  base = mkdtempSync(join(tmpdir(), 'atrium-command-'))
})
after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))

const commandsIn = (name: string) => commandsWithoutAddress(join(base, name))

test('names the setting to set where no database exists, and does not create one', async () => {
  const { admin, adminUnder } = commandsIn('nothing')
  for (const words of [
    ['jobs', 'failed'],
    ['workspace', 'add', 'north', 'North Harbour'],
    ['backup', 'make'],
    ['backup', 'restore'],
  ]) {
    const { code, out, err } = await admin(...words)
    assert.deepEqual([code, out], [1, ''], `${words.join(' ')}: ${out}${err}`)
    assert.match(err, /DATABASE_URL is not set, and no server has created one in .*nothing\/postgres/)
    assert.match(err, /DATABASE_URL_FILE/)
  }
  const answered = await adminUnder({ ATRIUM_EMBEDDED_DATABASE: 'true' }, 'jobs', 'failed', '--json')
  assert.deepEqual([answered.code, JSON.parse(answered.out).code], [1, 'failed'])
  assert.deepEqual(readdirSync(base), [])
})

test('lists and checks backups without a database', async () => {
  const { folder, adminUnder } = commandsIn('backups')
  const settings = { ATRIUM_BACKUP_KEY: backupKey, ATRIUM_BACKUP_FOLDER: join(base, 'kept') }
  const listed = await adminUnder(settings, 'backup', 'list', '--json')
  assert.deepEqual([listed.code, JSON.parse(listed.out)], [0, []], listed.err)
  const checked = await adminUnder(settings, 'backup', 'check')
  assert.equal(checked.code, 1)
  assert.doesNotMatch(checked.err, /DATABASE_URL/)
  assert.deepEqual(readdirSync(folder), ['secret.key'])
})
