// spec: OP backups
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { fillEveryTable } from '../../tests/catalogue/every-table.ts'
import { backUp, makeArchive, restoreElsewhere } from '../../tests/fixtures/backups.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addMember, testPassword } from '../../tests/fixtures/workspaces.ts'
import { systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { readOperatingMetrics } from '../metrics/operating-metrics.ts'
import { signIn } from '../sessions/sign-in.ts'
import { clearBackups } from './clearing.ts'
import { chooseBackup, listBackups } from './contents.ts'
import { BackupProblem } from './problem.ts'
import { makeBackupKey } from './sealing.ts'
import { fileColumns, listTables } from './tables.ts'
import { checkBackup, verifyRestored } from './verify.ts'

let made: MadeContext
let owner: pg.Client
const place = makeArchive()
const { archive } = place
before(async () => {
  made = await makeTestContext()
  for (const subdomain of ['harbour', 'north']) await fillEveryTable(made.context, subdomain)
  // These platforms do not run, and the ledger comparison reports recent operations that it cannot look up.
  made.context.clock.advance(4 * 86_400_000)
  owner = await made.openOwner()
  await giveEachFileItsBytes()
})
after(async () => {
  await made.close()
  place.remove()
})

/** The builders write rows for files but no files. */
async function giveEachFileItsBytes(): Promise<void> {
  for (const { table, key, sha256 } of fileColumns) {
    const { rows } = await owner.query<{ key: string }>(`select ${key} as key from ${table} where ${key} is not null`)
    for (const row of rows) await made.context.files.write(row.key, Buffer.from(`bytes of ${row.key}`))
    if (sha256)
      await owner.query(
        `update ${table} set ${sha256} = sha256(convert_to('bytes of ' || ${key}, 'UTF8')) where ${key} is not null`,
      )
  }
}

const device = { address: '127.0.0.1', userAgent: 'test' }

test('restores every row and file elsewhere, with a sound ledger and working sign-ins', async () => {
  const workspaceId = String((await owner.query('select workspace_id from workspaces limit 1')).rows[0]?.workspace_id)
  const member = await addMember(systemActor(made.context, workspaceId))
  const backup = await backUp(archive, made)
  assert.deepEqual(backup.files_lost, [])
  assert.ok(backup.rows > 200 && backup.files > 10, JSON.stringify(backup))
  const there = await restoreElsewhere(archive, made)
  try {
    const verdict = await verifyRestored(archive, there.contents, {
      databaseUrl: there.ownerUrl,
      context: there.context,
    })
    assert.deepEqual(verdict, { backup: backup.backup, rows: backup.rows, files: backup.files, wrong: [] })
    assert.deepEqual(await describeGuards(there.ownerUrl), await describeGuards(made.ownerUrl))
    assert.ok((await countOpenSessions(made.ownerUrl)) > 0)
    assert.equal(await countOpenSessions(there.ownerUrl), 0)
    await assertNotifications(there)
    const system = systemActor(there.context, workspaceId)
    const signInWith = (password: string) => signIn(system, 'member', { email: member.email, password }, device)
    assert.ok('token' in (await signInWith(testPassword)))
    await assert.rejects(signInWith('another password'))
  } finally {
    await there.close()
  }
})

async function countOpenSessions(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select count(*)::int as open from sessions where ended_at is null')
    return rows[0].open
  } finally {
    await client.end()
  }
}

/** Checks that verify reports one changed row and one changed file. */
async function assertNotifications(there: Awaited<ReturnType<typeof restoreElsewhere>>): Promise<void> {
  const source = { databaseUrl: there.ownerUrl, context: there.context }
  const elsewhere = new pg.Client({ connectionString: there.ownerUrl })
  await elsewhere.connect()
  try {
    const { rows } = await elsewhere.query(`select storage_key as key from media where small_key is null limit 1`)
    await there.context.files.write(rows[0].key, Buffer.from('other bytes'))
    await elsewhere.query('delete from canned_replies where reply_id in (select reply_id from canned_replies limit 1)')
    const { wrong } = await verifyRestored(archive, there.contents, source)
    assert.equal(wrong.length, 2, wrong.join('\n'))
    assert.match(wrong[0] ?? '', /^canned_replies has \d+ rows/)
    assert.match(wrong[1] ?? '', /differs from the backup and the database/)
    await there.context.files.remove(rows[0].key)
    assert.match((await verifyRestored(archive, there.contents, source)).wrong[1] ?? '', /is not in the store/)
  } finally {
    await elsewhere.end()
  }
}

/** The triggers, keys, indexes and row security in force, to prove that restore re-enables all it disabled. */
async function describeGuards(databaseUrl: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const texts = [
      `select relname::text as name, relrowsecurity, relforcerowsecurity from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
      `select conrelid::regclass::text as tab, conname::text as name, pg_get_constraintdef(oid) as def from pg_constraint
       where connamespace = 'public'::regnamespace order by 1, 2`,
      `select tgrelid::regclass::text as tab, tgname::text as name, tgenabled::text from pg_trigger
       where not tgisinternal order by 1, 2`,
      `select pg_get_indexdef(indexrelid) as def, indisvalid from pg_index join pg_class on oid = indexrelid
       where relnamespace = 'public'::regnamespace order by 1`,
    ]
    const found: unknown[] = []
    for (const text of texts) found.push((await client.query(text)).rows)
    return found
  } finally {
    await client.end()
  }
}

test('records the end of the last complete backup in its database, and not in a restored one', async () => {
  const finishedAt = async ({ context }: MadeContext) => (await readOperatingMetrics(context, [])).backupFinishedAt
  await owner.query('truncate atrium_meta.last_backup')
  assert.equal(await finishedAt(made), null)
  const { store } = archive
  const full = { ...archive, store: { ...store, write: () => Promise.reject(new Error('The disk is full')) } }
  await assert.rejects(backUp(full, made))
  assert.equal(await finishedAt(made), null)
  const before = Date.now() / 1_000
  assert.equal((await backUp(archive, made)).noted, true)
  const first = (await finishedAt(made)) ?? 0
  assert.ok(first >= before - 1 && first <= Date.now() / 1_000 + 1, `${first}`)
  assert.equal((await backUp(archive, made)).noted, true)
  assert.ok(((await finishedAt(made)) ?? 0) > first)
  const there = await restoreElsewhere(archive, made)
  try {
    assert.equal(await finishedAt(there), null)
  } finally {
    await there.close()
  }
})

test('completes a backup of a database that is older than the command', async () => {
  await owner.query('alter table atrium_meta.last_backup rename to not_yet')
  try {
    const { backup, noted } = await backUp(archive, made)
    assert.equal(noted, false)
    assert.equal((await listBackups(archive)).find((each) => each.backup === backup)?.is_whole, true)
  } finally {
    await owner.query('alter table atrium_meta.not_yet rename to last_backup')
  }
})

test('skips files already in the archive and adds new ones', async () => {
  const workspaceId = String((await owner.query('select workspace_id from workspaces limit 1')).rows[0]?.workspace_id)
  const system = systemActor(made.context, workspaceId)
  const { memberId } = await addMember(system)
  await backUp(archive, made)
  await addMedia(system, { memberId })
  const second = await backUp(archive, made)
  assert.equal(second.files_copied, 1)
  assert.equal((await backUp(archive, made)).files_copied, 0)
})

test('excludes rows written while the snapshot is read', async () => {
  const workspaceId = String((await owner.query('select workspace_id from workspaces limit 1')).rows[0]?.workspace_id)
  const system = systemActor(made.context, workspaceId)
  const { store } = archive
  let isFirst = true
  const slow = {
    ...archive,
    store: {
      ...store,
      async write(...args: Parameters<typeof store.write>) {
        if (isFirst) await addMember(system)
        isFirst = false
        await store.write(...args)
      },
    },
  }
  const members = async () => Number((await owner.query('select count(*) from members')).rows[0]?.count)
  const had = await members()
  const { backup } = await backUp(slow, made)
  assert.equal(await members(), had + 1)
  const stored = (await chooseBackup(archive, backup)).tables.find(({ name }) => name === 'members')
  assert.equal(
    Object.values(stored?.rows ?? {}).reduce((sum, each) => sum + each, 0),
    had,
  )
})

test('reports a file that is named in the database but missing, and backs up the rest', async () => {
  const workspaceId = String((await owner.query('select workspace_id from workspaces limit 1')).rows[0]?.workspace_id)
  const system = systemActor(made.context, workspaceId)
  const { memberId } = await addMember(system)
  const media_id = await addMedia(system, { memberId })
  const key = `${workspaceId}/${media_id}`
  await made.context.files.remove(key)
  assert.deepEqual((await backUp(archive, made)).files_lost, [key])
  await inTransaction(system, (tx) => tx.deleteFrom('media').where(here).where('media_id', '=', media_id).execute())
  assert.deepEqual((await backUp(archive, made)).files_lost, [])
})

test('reports a file with the wrong content each time, and stores the right one later', async () => {
  const workspaceId = String((await owner.query('select workspace_id from workspaces limit 1')).rows[0]?.workspace_id)
  const system = systemActor(made.context, workspaceId)
  const { memberId } = await addMember(system)
  const content = Buffer.from('a passport')
  const key = `${workspaceId}/${await addMedia(system, { memberId, content })}`
  await made.context.files.write(key, Buffer.from('something else'))
  const { store } = archive
  const named: string[] = []
  const watched = {
    ...store,
    async write(...args: Parameters<typeof store.write>) {
      named.push(args[0])
      await store.write(...args)
    },
  }
  // The file never has its final name in the archive: after a crash the next backup would skip it.
  for (const _ of [1, 2]) assert.deepEqual((await backUp({ ...archive, store: watched }, made)).files_lost, [key])
  assert.deepEqual(
    named.filter((name) => name.startsWith('files/')),
    [],
  )
  await made.context.files.write(key, content)
  const { files_lost, files_copied } = await backUp(archive, made)
  assert.deepEqual([files_lost, files_copied], [[], 1])
})

test('fails with the store, leaves no complete backup, and the next one reuses the copied files', async () => {
  const own = makeArchive()
  try {
    const { store } = own.archive
    let left = 0
    const failing = {
      ...store,
      async write(...args: Parameters<typeof store.write>) {
        if (args[0].startsWith('files/') && left-- === 0) throw new Error('no room')
        await store.write(...args)
      },
    }
    left = 5
    await assert.rejects(backUp({ ...own.archive, store: failing }, made), /no room/)
    assert.deepEqual(
      (await listBackups(own.archive)).map(({ is_whole }) => is_whole),
      [false],
    )
    await assert.rejects(chooseBackup(own.archive, undefined), /There is no complete backup here/)
    const whole = await backUp(own.archive, made)
    assert.ok(whole.files_copied <= whole.files - 5, JSON.stringify(whole))
    assert.deepEqual((await checkBackup(own.archive, await chooseBackup(own.archive, undefined))).wrong, [])
  } finally {
    own.remove()
  }
})

test('fails with a message when the database restarts during the copy, and leaves no complete backup', async () => {
  const own = makeArchive()
  try {
    const { files } = made.context
    const read: typeof files.read = async (...args) => {
      await owner.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and application_name = 'atrium backup'`,
      )
      return files.read(...args)
    }
    await assert.rejects(backUp(own.archive, { ...made, context: { ...made.context, files: { ...files, read } } }), {
      constructor: BackupProblem,
      message: /connection to the database was lost/,
    })
    assert.deepEqual(
      (await listBackups(own.archive)).map(({ is_whole }) => is_whole),
      [false],
    )
  } finally {
    own.remove()
  }
})

test('keeps the configured number of old backups and only the files that they name', async () => {
  const own = makeArchive()
  try {
    const workspaceId = String((await owner.query('select workspace_id from workspaces limit 1')).rows[0]?.workspace_id)
    const system = systemActor(made.context, workspaceId)
    const { memberId } = await addMember(system)
    const media_id = await addMedia(system, { media_id: newId(), memberId })
    const first = await backUp(own.archive, made)
    await inTransaction(system, (tx) => tx.deleteFrom('media').where(here).where('media_id', '=', media_id).execute())
    made.context.clock.advance(86_400_000)
    const second = await backUp(own.archive, made)
    made.context.clock.advance(86_400_000)
    const third = await backUp(own.archive, made)
    const cleared = await clearBackups(own.archive, 2)
    assert.deepEqual(cleared, { kept: [second.backup, third.backup], removed: [first.backup], files_removed: 1 })
    for (const { backup } of [second, third])
      assert.deepEqual((await checkBackup(own.archive, await chooseBackup(own.archive, backup))).wrong, [])
    assert.deepEqual(
      (await listBackups(own.archive)).map(({ backup }) => backup),
      cleared.kept,
    )
  } finally {
    own.remove()
  }
})

test('counts backups of the previous key too, and removes their files with the last of them', async () => {
  const own = makeArchive()
  const renewed = { ...own.archive, key: makeBackupKey('another-key-for-this-test-0123456789') }
  const clear = (keep: number) => clearBackups(renewed, keep)
  try {
    const old = await backUp(own.archive, made)
    made.context.clock.advance(86_400_000)
    await assert.rejects(clear(2), /another ATRIUM_BACKUP_KEY/)
    const young = await backUp(renewed, made)
    assert.deepEqual(await clear(2), { kept: [old.backup, young.backup], removed: [], files_removed: 0 })
    assert.deepEqual((await checkBackup(own.archive, await chooseBackup(own.archive, old.backup))).wrong, [])
    const last = await clear(1)
    assert.deepEqual([last.kept, last.removed], [[young.backup], [old.backup]])
    assert.ok(last.files_removed > 0)
    assert.deepEqual((await checkBackup(renewed, await chooseBackup(renewed, young.backup))).wrong, [])
  } finally {
    own.remove()
  }
})

test('backs up every column that names a file, and no table uses a sequence', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('storage_key', 'small_key', 'part_keys') order by 1`,
  )
  const known = fileColumns.map(({ table, key }) => `${table}.${key}`)
  // Uploads in progress are started again on the other machine.
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...known, 'uploads.part_keys'].sort(),
  )
  const sequences = await owner.query(
    `select from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`,
  )
  assert.equal(sequences.rowCount, 0)
  const tables = await listTables(owner)
  for (const { name, columns } of tables) assert.ok(columns.includes('workspace_id'), name)
})
