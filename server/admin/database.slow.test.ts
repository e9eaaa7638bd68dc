/** Commands without DATABASE_URL, on an embedded database that a server or a command created. */

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startChildServer } from '../../tests/doubles/child-server.ts'
import { backupKey } from '../../tests/fixtures/backups.ts'
import { commandsWithoutAddress } from '../../tests/fixtures/command-line.ts'
import { findRunningPostgres } from '../postgres/embedded-postgres.ts'

let base: string
before(() => {
  base = mkdtempSync(join(tmpdir(), 'atrium-command-'))
  chmodSync(base, 0o711) // As root, PostgreSQL's own user must be able to enter, or the data goes elsewhere.
})
after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))

const commandsIn = (name: string) => commandsWithoutAddress(join(base, name))

test('workspace add and backup restore create the embedded database when the environment asks for it', async () => {
  const first = commandsIn('first')
  const asked = { ATRIUM_EMBEDDED_DATABASE: 'true' }
  const added = await first.adminUnder(asked, 'workspace', 'add', 'north', 'North Harbour')
  assert.equal(added.code, 0, added.err)
  const listed = await first.admin('workspace', 'list', '--json')
  assert.equal(JSON.parse(listed.out)[0].subdomain, 'north')
  assert.match(listed.err, /DATABASE_URL is not set: using the database in .*first\/postgres/)

  const settings = { ATRIUM_BACKUP_KEY: backupKey, ATRIUM_BACKUP_FOLDER: join(base, 'of-first') }
  assert.equal((await first.adminUnder(settings, 'backup', 'make')).code, 0)
  const second = commandsIn('second')
  const restored = await second.adminUnder(settings, 'backup', 'restore', '--json')
  assert.deepEqual([restored.code, JSON.parse(restored.out).wrong], [0, []], restored.err)
  assert.match((await second.admin('workspace', 'list')).out, /subdomain: north/)
})

test('a command uses the embedded database while its server runs and after it has ended', async () => {
  const { folder, admin } = commandsIn('served')
  const server = await startChildServer({ dataDirectory: folder })
  try {
    const added = await admin('workspace', 'add', 'north', 'North Harbour')
    assert.equal(added.code, 0, added.err)
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200, 'the server still has its database')
    assert.equal(await server.end(), 0)
  } finally {
    await server.stop()
  }
  assert.match((await admin('workspace', 'list')).out, /subdomain: north/)
  assert.equal(
    findRunningPostgres(join(folder, 'postgres')),
    undefined,
    'the command has stopped the database that it started',
  )
})
