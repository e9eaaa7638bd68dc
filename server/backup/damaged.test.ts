// spec: OP backups
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { backUp, makeArchive } from '../../tests/fixtures/backups.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { type FreshDatabase, freshDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addMember, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { openFolderStore } from '../files/store.ts'
import { keepSealed, readSealed } from './archive.ts'
import { type Contents, chooseBackup, keepContents } from './contents.ts'
import { BackupProblem } from './problem.ts'
import { restoreBackup } from './restore.ts'
import { makeBackupKey } from './sealing.ts'
import { scopeTo } from './tables.ts'

let made: MadeContext
let empty: FreshDatabase
let workspaceId: string
before(async () => {
  made = await makeTestContext()
  const system = await addWorkspace(made.context)
  workspaceId = system.workspaceId
  const { memberId } = await addMember(system)
  await addMedia(system, { memberId, content: Buffer.alloc(700_000, 'a large file ') })
  await addMedia(system, { memberId })
  empty = await freshDatabase()
})
after(async () => {
  await made.close()
  await empty.drop()
})

/** A backup of this test's own, to be damaged. */
let place: ReturnType<typeof makeArchive>
let contents: Contents
beforeEach(async () => {
  place = makeArchive()
  await backUp(place.archive, made)
  contents = await chooseBackup(place.archive, undefined)
})

afterEach(() => place.remove())

const pathOf = (...names: string[]) => join(place.folder, 'backups', contents.backup, ...names)

async function restore(archive = place.archive, chosen = contents): Promise<void> {
  const files = openFolderStore(join(place.folder, 'restored'))
  await restoreBackup(archive, chosen, { databaseUrl: empty.ownerUrl, files })
}

async function assertStillEmpty(): Promise<void> {
  const client = new pg.Client({ connectionString: empty.ownerUrl })
  await client.connect()
  try {
    await client.query('begin')
    await scopeTo(client, workspaceId)
    for (const table of ['workspaces', 'members', 'media'])
      assert.equal((await client.query(`select from ${table}`)).rowCount, 0, table)
  } finally {
    await client.end()
  }
}

async function refused(sentence: RegExp, work: () => Promise<unknown> = restore): Promise<void> {
  await assert.rejects(work(), (problem: Error) => {
    assert.ok(problem instanceof BackupProblem, String(problem.stack))
    assert.match(problem.message, sentence)
    return true
  })
  await assertStillEmpty()
}

describe('restoring a damaged backup', () => {
  test('refuses a backup sealed with another key', async () => {
    const other = { ...place.archive, key: makeBackupKey('another-0123456789-key-of-other-tests') }
    await refused(/was encrypted with another ATRIUM_BACKUP_KEY/, () => chooseBackup(other, undefined))
  })

  test('refuses a part truncated between two frames or within one', async () => {
    const path = pathOf('members', '1')
    const whole = readFileSync(path)
    for (const bytes of [whole.length - 1, whole.length - 20, 60, 48, 20, 0]) {
      writeFileSync(path, whole)
      truncateSync(path, bytes)
      await refused(/members\/1 is cut off/)
    }
  })

  test('refuses a part with one changed bit or added bytes', async () => {
    const path = pathOf('members', '1')
    const whole = readFileSync(path)
    for (const place of [20, 49, 50, 60, whole.length - 1]) {
      const changed = Buffer.from(whole)
      changed[place] = (changed[place] ?? 0) ^ 1
      writeFileSync(path, changed)
      await refused(/members\/1 is (damaged|cut off)/)
    }
    writeFileSync(path, Buffer.concat([whole, whole.subarray(48)]))
    await refused(/members\/1 is damaged/)
  })

  test('refuses parts exchanged within a backup or between two', async () => {
    const [one, two] = [pathOf('members', '1'), pathOf('media', '1')]
    renameSync(one, `${one}-kept`)
    renameSync(two, one)
    renameSync(`${one}-kept`, two)
    await refused(/is damaged or in the wrong place/)
    const other = await backUp(place.archive, made)
    writeFileSync(one, readFileSync(join(place.folder, 'backups', other.backup, 'members', '1')))
    await refused(/is damaged or in the wrong place/)
  })

  test('refuses a backup with a missing part', async () => {
    rmSync(pathOf('members', '1'))
    await refused(/members\/1 is missing/)
  })

  test('refuses a backup with a missing or damaged file', async () => {
    const names: string[] = []
    for await (const { key } of place.archive.store.list('files')) names.push(key)
    assert.equal(names.length, 2)
    const path = join(place.folder, names[0] ?? '')
    const whole = readFileSync(path)
    truncateSync(path, whole.length - 3)
    await refused(/is cut off/)
    rmSync(path)
    await refused(/is missing/)
  })

  test('refuses an unfinished backup', async () => {
    rmSync(pathOf('contents'))
    await refused(/There is no complete backup/, () => chooseBackup(place.archive, contents.backup))
  })

  test('refuses a backup of a newer version, or of one with different migrations', async () => {
    const newer = {
      ...contents,
      migrations: [...contents.migrations, { name: '29990101-0000-later.sql', sha256: 'x' }],
    }
    await refused(/made by a newer version/, () => restore(place.archive, newer))
    const [first, ...others] = contents.migrations
    const edited = { ...contents, migrations: [{ name: first?.name ?? '', sha256: 'x' }, ...others] }
    await refused(/differs from the one at the time of the backup/, () => restore(place.archive, edited))
    const older = { ...contents, migrations: contents.migrations.slice(0, -1) }
    await refused(/already migrated to a newer version/, () => restore(place.archive, older))
  })

  test('refuses a backup whose row counts are wrong', async () => {
    const tables = contents.tables.map((table) =>
      table.name === 'members' ? { ...table, rows: { [workspaceId]: 5 } } : table,
    )
    await refused(/members has 1 rows in the backup, and 5 were counted/, () =>
      restore(place.archive, { ...contents, tables }),
    )
  })

  test('refuses contents of another format', async () => {
    await keepContents(place.archive, { ...contents, format: 2 as 1 })
    await refused(/made by a version whose backups this version cannot read/, () =>
      chooseBackup(place.archive, undefined),
    )
  })
})

test('changes nothing in a database that is not empty or is in use', async () => {
  const other = new pg.Client({ connectionString: empty.ownerUrl })
  await other.connect()
  await refused(/Another program is connected/)
  await other.end()
  const files = openFolderStore(join(place.folder, 'restored'))
  const full = await freshDatabase()
  try {
    await restoreBackup(place.archive, contents, { databaseUrl: full.ownerUrl, files })
    await refused(/is not empty/, () => restoreBackup(place.archive, contents, { databaseUrl: full.ownerUrl, files }))
  } finally {
    await full.drop()
  }
})

test('refuses a second backup of a database while one runs', async () => {
  const { store } = place.archive
  const within: Promise<unknown>[] = []
  const watched = {
    ...store,
    async write(...args: Parameters<typeof store.write>) {
      if (within.length === 0)
        within.push(refused(/Another backup of this database is in progress/, () => backUp(place.archive, made)))
      await Promise.all(within)
      await store.write(...args)
    },
  }
  await backUp({ ...place.archive, store: watched }, made)
  assert.equal(within.length, 1)
})

test('spools a large object to disk, reads it back unchanged and removes the spool file', async () => {
  async function* large(): AsyncGenerator<Buffer> {
    for (let piece = 0; piece < 40; piece += 1) yield Buffer.alloc(1_000_000, String(piece))
  }
  await keepSealed(place.archive, 'files/large', large())
  const [wrote, read] = [createHash('sha256'), createHash('sha256')]
  for await (const piece of large()) wrote.update(piece)
  for await (const piece of (await readSealed(place.archive, 'files/large')) ?? []) read.update(piece)
  assert.equal(read.digest('hex'), wrote.digest('hex'))
  assert.deepEqual(readdirSync(place.archive.spool), [])
})
