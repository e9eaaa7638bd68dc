// spec: OP backups

/** The version before the restore time was recorded. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { makeArchive } from '../../tests/fixtures/backups.ts'
import { type FreshDatabase, freshDatabase, withDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { openFolderStore } from '../files/store.ts'
import { migrate, migrationFiles } from '../foundation/database/migrate.ts'
import { newId } from '../foundation/ids.ts'
import { chooseBackup } from './contents.ts'
import { makeBackup } from './make.ts'
import { markRestored } from './mark-restored.ts'
import { restoreBackup } from './restore.ts'
import { scopeTo } from './tables.ts'

const filesBefore = migrationFiles().filter((name) => name < '20261124-0700-moment-of-a-restore.sql')
const workspaceId = newId()
const place = makeArchive()
let cluster: FreshDatabase
let admin: pg.Client
const made: string[] = []
before(async () => {
  cluster = await freshDatabase()
  admin = new pg.Client({ connectionString: cluster.ownerUrl })
  await admin.connect()
})
after(async () => {
  for (const name of made) await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  await cluster.drop()
  place.remove()
})

async function emptyDatabase(): Promise<string> {
  const name = `atrium_marked_${randomBytes(6).toString('hex')}`
  await admin.query(`create database ${name}`)
  made.push(name)
  return withDatabase(cluster.ownerUrl, name)
}

async function inWorkspace<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await scopeTo(client, workspaceId)
    const { rows } = await client.query<Row>(text, values)
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}

async function addSession(url: string): Promise<void> {
  const staffId = newId()
  const staff = [workspaceId, staffId, 'staff@harbour.test']
  const columns = 'workspace_id, staff_id, name, email, role, password_hash, created_at'
  await inWorkspace(
    url,
    `insert into staff_users (${columns}) values ($1, $2, 'Sela', $3, 'administrator', 'none', now())`,
    staff,
  )
  const session = [workspaceId, newId(), staffId, randomBytes(32), randomBytes(32)]
  await inWorkspace(
    url,
    `insert into sessions (workspace_id, session_id, kind, staff_id, token_hash, file_token_hash, created_at, proven_at, last_seen_at, expires_at)
     values ($1, $2, 'staff', $3, $4, $5, now(), now(), now(), now() + interval '12 hours')`,
    session,
  )
}

async function addResetLink(url: string): Promise<void> {
  await inWorkspace(
    url,
    `insert into password_resets (workspace_id, reset_id, staff_id, code_hash, created_at, expires_at)
     select workspace_id, $1, staff_id, $2, now(), now() + interval '1 hour' from staff_users`,
    [newId(), randomBytes(32)],
  )
}

async function countOpenLinks(url: string): Promise<number> {
  return (await inWorkspace(url, 'select from password_resets where used_at is null and superseded_at is null', []))
    .length
}

async function countOpenSessions(url: string): Promise<number> {
  return (await inWorkspace(url, 'select from sessions where ended_at is null', [])).length
}

const momentOf = async (url: string) =>
  (await inWorkspace<{ restored_at: Date | null }>(url, 'select restored_at from workspaces', []))[0]?.restored_at

test('a restore records its time, also for a backup of a version without that column', async () => {
  const older = await emptyDatabase()
  await migrate(older, { only: filesBefore })
  const values = [workspaceId, 'harbour', 'Harbour']
  await inWorkspace(older, 'insert into workspaces (workspace_id, subdomain, name) values ($1, $2, $3)', values)
  await addSession(older)
  await addResetLink(older)
  const files = openFolderStore(join(place.folder, 'files'))
  await makeBackup(place.archive, { databaseUrl: older, files, now: new Date('2026-11-24T04:00:00Z') })

  const databaseUrl = await emptyDatabase()
  const now = new Date('2026-11-24T04:10:00Z')
  await restoreBackup(place.archive, await chooseBackup(place.archive, undefined), { databaseUrl, files, now })
  assert.deepEqual(await momentOf(databaseUrl), now)
  assert.deepEqual([await countOpenSessions(databaseUrl), await countOpenLinks(databaseUrl)], [0, 0])
})

test('records the restore time for a database restored by another tool, before anything runs on it', async () => {
  const databaseUrl = await emptyDatabase()
  await migrate(databaseUrl)
  const values = [workspaceId, 'harbour', 'Harbour']
  await inWorkspace(databaseUrl, 'insert into workspaces (workspace_id, subdomain, name) values ($1, $2, $3)', values)
  assert.equal(await momentOf(databaseUrl), null)
  await addSession(databaseUrl)
  await addResetLink(databaseUrl)
  const now = new Date('2026-11-24T05:00:00Z')
  const running = new pg.Client({ connectionString: databaseUrl })
  await running.connect()
  await assert.rejects(markRestored(databaseUrl, now), /Another program is connected/)
  await running.end()
  assert.deepEqual([await countOpenSessions(databaseUrl), await countOpenLinks(databaseUrl)], [1, 1])
  assert.deepEqual(await markRestored(databaseUrl, now), { workspaces: 1 })
  assert.deepEqual([await countOpenSessions(databaseUrl), await countOpenLinks(databaseUrl)], [0, 0])
  assert.deepEqual(await momentOf(databaseUrl), now)
})
