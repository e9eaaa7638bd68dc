// spec: OP faults, OP operation
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { eventually } from '../../../tests/doubles/child-server.ts'
import { openMuteProxy } from '../../../tests/doubles/mute-proxy.ts'
import { type FreshDatabase, freshDatabase, withDatabase } from '../../../tests/fixtures/database/fresh-database.ts'
import { migrate, migrationFiles, migrationLock } from './migrate.ts'
import { type Database, openDatabase } from './pool.ts'
import { programLogin } from './program-login.ts'

/** A hosted server: owners without superuser rights, each with their own database. */
const name = `atrium_owned_${randomBytes(6).toString('hex')}`
const builder = `${name}_builder`
const plain = `${name}_plain`
const password = 'Owner-2026'
let fresh: FreshDatabase
let admin: pg.Client

before(async () => {
  fresh = await freshDatabase()
  admin = new pg.Client({ connectionString: fresh.ownerUrl })
  await admin.connect()
  await admin.query(`create role ${builder} login createrole nosuperuser password '${password}'`)
  await admin.query(`create role ${plain} login nocreaterole nosuperuser password '${password}'`)
  await admin.query(`create database ${name} owner ${builder}`)
  await admin.query(`create database ${name}_plain owner ${plain}`)
})
after(async () => {
  for (const database of [name, `${name}_plain`]) await admin.query(`drop database if exists ${database} with (force)`)
  const logins = [programLogin(name), `${programLogin(name)}~2`, `${programLogin(name)}~3`]
  for (const role of [...logins, `${name}_program`, builder, plain]) await admin.query(`drop role if exists "${role}"`)
  await admin.end()
  await fresh.drop()
})

function addressOf(username: string, database: string, secret = password): string {
  return Object.assign(new URL(withDatabase(fresh.ownerUrl, database)), { username, password: secret }).toString()
}

/** Opens a new connection, as a pool does when it grows. */
async function signIn(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ name: string }>('select session_user as name')).rows[0]?.name ?? ''
  } finally {
    await client.end()
  }
}

async function assertWorks(ownerUrl: string, programUrl: string): Promise<void> {
  const workspaceId = '01900000-0000-7000-8000-000000000001'
  const program: Database = openDatabase(programUrl)
  const client = await program.pool.connect()
  try {
    await client.query(`begin; select set_config('atrium.workspace_id', '${workspaceId}', true),
      set_config('atrium.actor_kind', 'system', true)`)
    const values = [workspaceId, 'harbour', true, 'Harbour']
    await client.query(
      'insert into workspaces (workspace_id, subdomain, is_default, name) values ($1, $2, $3, $4)',
      values,
    )
    await client.query('commit')
    assert.equal((await client.query('select from workspaces')).rowCount, 0, 'no row is visible without a scope')
  } finally {
    client.release()
  }
  const found = await sql<{ id: string }>`select find_workspace('harbour') as id`.execute(program.kysely)
  const listed = await sql<{ id: string }>`select list_workspace_ids() as id`.execute(program.kysely)
  await program.close()
  assert.deepEqual([found.rows[0]?.id, listed.rows[0]?.id], [workspaceId, workspaceId])
  assert.deepEqual(
    (await migrate(ownerUrl, { programDatabaseUrl: programUrl })).applied,
    [],
    'a second start finds nothing to do',
  )
}

test('migrates for an owner with createrole but no superuser rights, and the program sees its workspaces', async () => {
  const ownerUrl = addressOf(builder, name)
  // The group was made by the first owner on this server, and only that owner may grant it.
  await assert.rejects(migrate(ownerUrl), /As an administrator of the server: grant atrium_program to/)
  await admin.query(`grant atrium_program to ${builder} with admin option`)
  const { applied, programUrl } = await migrate(ownerUrl)
  assert.deepEqual(applied, migrationFiles())
  await assertWorks(ownerUrl, programUrl)
})

test('leaves earlier logins valid with another owner, a new owner password, and a returning owner', async () => {
  const messages: string[] = []
  const loginOf = async (ownerUrl: string) => {
    const { programUrl } = await migrate(ownerUrl, { report: (what) => messages.push(what) })
    return programUrl
  }
  const ownerUrl = addressOf(builder, name)
  const running = await loginOf(ownerUrl)
  const command = await loginOf(withDatabase(fresh.ownerUrl, name))
  await admin.query(`alter role ${builder} password 'Changed-2026'`)
  const renewedUrl = addressOf(builder, name, 'Changed-2026')
  const renewed = await loginOf(renewedUrl)
  const names = [programLogin(name), `${programLogin(name)}~2`, `${programLogin(name)}~3`]
  assert.deepEqual([await signIn(running), await signIn(command), await signIn(renewed)], names)
  assert.deepEqual([await loginOf(withDatabase(fresh.ownerUrl, name)), await loginOf(renewedUrl)], [command, renewed])
  assert.equal(messages.length, 2, 'each new login is reported once')
  assert.ok(
    messages[1]?.includes(`${names[2]} was made`) && messages[1]?.endsWith(`: ${names[0]}, ${names[1]}`),
    messages[1],
  )
  // An unused login can be dropped without effect on the others.
  await admin.query(`drop role ${names[0]}`)
  assert.equal(await loginOf(renewedUrl), renewed)
  await admin.query(`alter role ${builder} password '${password}'`)
  assert.equal(await loginOf(ownerUrl), running)
})

test('names the missing setting to an owner without createrole', async () => {
  await assert.rejects(migrate(addressOf(plain, `${name}_plain`)), /may not make the login .* DATABASE_PROGRAM_URL/)
})

test('uses a program role that was made for an owner without createrole', async () => {
  const ownerUrl = addressOf(plain, `${name}_plain`)
  await admin.query(`create role ${name}_program login password '${password}' in role atrium_program`)
  const { programUrl } = await migrate(ownerUrl, { programDatabaseUrl: addressOf(`${name}_program`, `${name}_plain`) })
  await assertWorks(ownerUrl, programUrl)
})

test('migrates an empty database once when several processes start together, repeatedly', async () => {
  const database = `${name}_once`
  for (let round = 0; round < 4; round += 1) {
    await admin.query(`create database ${database}`)
    const ownerUrl = withDatabase(fresh.ownerUrl, database)
    try {
      const starts = await Promise.all([migrate(ownerUrl), migrate(ownerUrl), migrate(ownerUrl)])
      assert.deepEqual(
        starts.flatMap(({ applied }) => applied),
        migrationFiles(),
      )
      assert.equal(new Set(starts.map(({ programUrl }) => programUrl)).size, 1)
    } finally {
      await admin.query(`drop database ${database} with (force)`)
      await admin.query(`drop role if exists ${programLogin(database)}`)
    }
  }
})

test('a connection that breaks while a process waits for its turn fails the start, and does not crash it', async () => {
  const database = `${name}_away`
  await admin.query(`create database ${database}`)
  const other = new pg.Client({ connectionString: withDatabase(fresh.ownerUrl, database) })
  await other.connect()
  const line = await openMuteProxy(withDatabase(fresh.ownerUrl, database))
  try {
    await other.query('select pg_advisory_lock($1)', [migrationLock])
    const failing = assert.rejects(migrate(line.url), /Connection terminated/)
    await eventually('it waits for the other one', async () => {
      const waiting = `select from pg_stat_activity
        where datname = $1 and wait_event_type = 'Lock' and query like 'select pg_advisory_lock%'`
      return (await admin.query(waiting, [database])).rowCount === 1
    })
    line.close()
    await failing
  } finally {
    line.close()
    await other.end()
    await admin.query(`drop database ${database} with (force)`)
    await admin.query(`drop role if exists ${programLogin(database)}`)
  }
})
