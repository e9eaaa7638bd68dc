// spec: OP operation
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { makeArchive } from '../../tests/fixtures/backups.ts'
import { type FreshDatabase, freshDatabase, withDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { openFolderStore } from '../files/store.ts'
import { migrate, migrationFiles, migrationLock } from '../foundation/database/migrate.ts'
import { programLogin } from '../foundation/database/program-login.ts'
import type { Archive } from './archive.ts'
import { chooseBackup } from './contents.ts'
import { makeBackup } from './make.ts'

/** A database without the last migration, and a copy of it for each test. */
const older = `atrium_older_${randomBytes(6).toString('hex')}`
const lastFile = migrationFiles().at(-1) ?? ''
const filesBefore = migrationFiles().slice(0, -1)
const databases: string[] = []
const place = makeArchive()
let fresh: FreshDatabase
let admin: pg.Client
let ownerUrl: string

before(async () => {
  fresh = await freshDatabase()
  admin = new pg.Client({ connectionString: fresh.ownerUrl })
  await admin.connect()
  await addDatabase(older)
  const url = withDatabase(fresh.ownerUrl, older)
  await migrate(url, { only: filesBefore })
  await asking(url, async (client) => {
    await client.query(`insert into workspaces (workspace_id, subdomain, is_default, name)
      values ('01900000-0000-7000-8000-000000000001', 'harbour', true, 'Harbour')`)
  })
})
beforeEach(async () => {
  const name = `${older}_${databases.length}`
  await addDatabase(name, `template ${older}`)
  ownerUrl = withDatabase(fresh.ownerUrl, name)
})
after(async () => {
  for (const name of databases) {
    await admin.query(`drop database ${name} with (force)`)
    await admin.query(`drop role if exists ${programLogin(name)}`)
  }
  await admin.end()
  await fresh.drop()
  place.remove()
})

async function addDatabase(name: string, more = ''): Promise<void> {
  await admin.query(`create database ${name} ${more}`)
  databases.push(name)
}

async function asking<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function backUp(archive: Archive): ReturnType<typeof makeBackup> {
  const files = openFolderStore(place.folder)
  return makeBackup(archive, { databaseUrl: ownerUrl, files, now: new Date() })
}

const waitingHere = `from pg_locks join pg_database d on d.oid = database and datname = current_database() where not granted`

/** An archive whose first write waits for `allow`; until then the backup is under way. */
function slowArchive() {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const write: typeof place.archive.store.write = async (...args) => {
    begin()
    await allowed
    return place.archive.store.write(...args)
  }
  return { archive: { ...place.archive, store: { ...place.archive.store, write } }, begun, allow }
}

test('migrates after a running backup, without blocking queries or starting processes', async () => {
  const { archive, begun, allow } = slowArchive()
  const saving = backUp(archive)
  await begun
  const messages: string[] = []
  const upgrading = [1, 2].map(() => migrate(ownerUrl, { report: (what) => messages.push(what) }))
  await eventually('both processes report that they wait', async () => messages.length === 2)
  assert.match(messages[0] ?? '', /^A backup of this database is running/)
  const waiting = await asking(ownerUrl, (client) => client.query(`select ${waitingHere}`))
  assert.equal(waiting.rowCount, 0)
  assert.deepEqual(
    (await migrate(ownerUrl, { only: filesBefore })).applied,
    [],
    'a process of the previous version starts',
  )
  await assert.rejects(backUp(place.archive), /Another backup of this database is in progress/)
  allow()
  await saving
  const applied = (await Promise.all(upgrading)).flatMap((each) => each.applied)
  assert.deepEqual(applied, [lastFile])
})

test('a backup requested during a migration starts after it', async () => {
  const upgraded = await asking(ownerUrl, async (client) => {
    // Plays another process that is starting.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const upgrading = migrate(ownerUrl)
    await eventually('the migration waits for the lock', async () => {
      const { rowCount } = await client.query(`select ${waitingHere} and locktype = 'advisory' and objid = $1`, [
        migrationLock,
      ])
      return rowCount === 1
    })
    const saving = backUp(place.archive)
    await eventually('the backup has requested its lock', async () => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'atrium backup'
         and query <> ''`,
      )
      return rowCount === 1
    })
    return { upgrading, saving }
  })
  assert.deepEqual((await upgraded.upgrading).applied, [lastFile])
  const { backup } = await upgraded.saving
  const { migrations } = await chooseBackup(place.archive, backup)
  assert.equal(migrations.at(-1)?.name, lastFile)
})
