import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { eventually, freePort } from '../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext, productionMode } from '../tests/fixtures/context.ts'
import { readConfig } from './config.ts'
import { migrate } from './foundation/database/migrate.ts'
import { FolderInUse } from './postgres/folder-lock.ts'
import { refuseTakenPort, serve } from './start.ts'
import { explainStart } from './start-problem.ts'

/** A configuration problem at the start is reported as one sentence naming the setting, without a stack. */
describe('a problem at the start', () => {
  let made: MadeContext
  let owner: pg.Client
  before(async () => {
    made = await makeTestContext()
    owner = new pg.Client({ connectionString: made.ownerUrl })
    await owner.connect()
    await owner.query("create role narrow_owner login password 'narrow' nocreaterole")
    await owner.query('create database of_narrow_owner owner narrow_owner')
  })
  after(async () => {
    await owner.query('drop database of_narrow_owner with (force)')
    await owner.query('drop role narrow_owner')
    await owner.end()
    await made.close()
  })

  const changed = (change: (url: URL) => void): string => {
    const url = new URL(made.ownerUrl)
    change(url)
    return url.toString()
  }

  async function sentenceOf(work: Promise<unknown>): Promise<string> {
    const problem = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    const sentence = explainStart(problem)
    assert.ok(sentence !== null, String(problem))
    assert.doesNotMatch(sentence, /\n|\bat .*\.ts/)
    return sentence
  }

  it('explains a wrong database password', async () => {
    const wrong = changed((url) => (url.password = 'wrong'))
    const sentence = await sentenceOf(migrate(wrong))
    assert.match(sentence, /^The database refuses our sign-in \(password authentication failed.*DATABASE_URL/)
    assert.doesNotMatch(sentence, /wrong\b(?!.*right)/)
  })

  it('explains an unreachable database with its address', async () => {
    const port = await freePort()
    const away = changed((url) => (url.port = String(port)))
    assert.match(
      await sentenceOf(migrate(away)),
      new RegExp(`^The database does not answer \\(.*${port}\\)\\. .*DATABASE_URL`),
    )
    const nowhere = changed((url) => (url.hostname = 'database.invalid'))
    assert.match(await sentenceOf(migrate(nowhere)), /does not answer \(getaddrinfo .* database\.invalid\)/)
  })

  it('explains a missing database', async () => {
    const unknown = changed((url) => (url.pathname = '/no_such_database'))
    assert.match(await sentenceOf(migrate(unknown)), /^There is no such database \(database "no_such_database"/)
  })

  it('names the missing database privilege and its fix', async () => {
    const login = { username: 'narrow_owner', password: 'narrow' }
    const ofTheirs = changed((url) => Object.assign(url, { ...login, pathname: '/of_narrow_owner' }))
    assert.match(
      await sentenceOf(migrate(ofTheirs)),
      /may not make the login .*DATABASE_PROGRAM_URL.*permission denied/,
    )
    const client = new pg.Client({ connectionString: changed((url) => Object.assign(url, login)) })
    await client.connect()
    const asked = client.query('create schema of_narrow_owner')
    assert.match(await sentenceOf(asked), /^The role in DATABASE_URL lacks a right \(permission denied.*CREATEROLE/)
    await client.end()
  })

  it('explains a port in use', async () => {
    const first = createServer().listen(0, '127.0.0.1')
    await once(first, 'listening')
    const address = first.address()
    assert.ok(address && typeof address === 'object')
    const second = createServer().listen(address.port, '127.0.0.1')
    const [problem] = await once(second, 'error')
    assert.match(explainStart(problem) ?? '', /^Another program already listens on this port \(.*\)\. .*PORT=8081\.$/)
    first.close()
  })

  it('explains a host to listen on that does not exist, and does not blame the database', async () => {
    const config = { ...made.context.config, host: 'nowhere.invalid', roles: { web: false, jobs: false } }
    const sentence = await sentenceOf(serve({ ...made.context, config }))
    assert.match(sentence, /^Listening failed \(getaddrinfo .*nowhere\.invalid\)\. Check HOST and PORT\.$/)
  })

  it('explains a database that takes no changes', async () => {
    await owner.query('create database of_a_replica')
    try {
      await owner.query('alter database of_a_replica set default_transaction_read_only = on')
      const replica = changed((url) => (url.pathname = '/of_a_replica'))
      assert.match(await sentenceOf(migrate(replica)), /^The database is read-only \(.*DATABASE_URL .* of the primary/)
    } finally {
      await owner.query('drop database of_a_replica with (force)')
    }
    const full = Object.assign(new pg.DatabaseError('could not extend file', 1, 'error'), { code: '53100' })
    assert.equal(
      explainStart(full),
      'The disk of the database is full (could not extend file). Free some space there and start again.',
    )
  })

  it('explains a full disk and a folder of another user', () => {
    const ofFile = (code: string, said: string) =>
      explainStart(Object.assign(new Error(`${code}: ${said}, mkdir '/srv/data'`), { code, path: '/srv/data' }))
    assert.match(
      ofFile('ENOSPC', 'no space left on device') ?? '',
      /^The disk is full \(.*\/srv\/data'\)\. Free .* start again\.$/,
    )
    assert.match(ofFile('EACCES', 'permission denied') ?? '', /^This user may not .*Change its owner.* ATRIUM_DATA\.$/)
    assert.match(ofFile('EEXIST', 'file already exists') ?? '', /^EEXIST: /)
  })

  it('explains a migration that failed, or that lost its connection, and that nothing of it is kept', async () => {
    const again = '20261121-0900-tenancy.sql'
    await withoutRecord(again, async () => {
      const failed = await sentenceOf(migrate(made.ownerUrl))
      assert.match(
        failed,
        /^Migration .*-tenancy\.sql failed, and nothing of it was kept\. The database says: .* exists\b.*\.$/,
      )
    })
    // One that can run twice. It waits for a lock at the end of its transaction.
    await withoutRecord('20261130-7000-guards-read-no-temporary-tables.sql', async () => {
      const lock = new pg.Client({ connectionString: made.ownerUrl })
      await lock.connect()
      try {
        await lock.query('begin; lock table atrium_meta.migrations in share row exclusive mode')
        const cut = sentenceOf(migrate(made.ownerUrl))
        await eventually('the migration waits and is cut', async () => (await cutWaiting()) > 0)
        assert.match(
          await cut,
          /^Migration .*-tables\.sql failed, and nothing of it was kept\. The database says: terminating/,
        )
      } finally {
        await lock.end()
      }
    })
    const lost = new Error('Migration 1.sql failed.', { cause: new Error('Connection terminated unexpectedly') })
    assert.match(explainStart(lost) ?? '', /The connection to the database was lost \(Connection .*\): start again/)
  })

  async function withoutRecord(name: string, work: () => Promise<void>): Promise<void> {
    const { rows } = await owner.query('delete from atrium_meta.migrations where name = $1 returning *', [name])
    try {
      await work()
    } finally {
      const values = [name, rows[0].sha256, rows[0].applied_at]
      await owner.query('insert into atrium_meta.migrations (name, sha256, applied_at) values ($1, $2, $3)', values)
    }
  }

  async function cutWaiting(): Promise<number> {
    const { rowCount } = await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    )
    return rowCount ?? 0
  }

  it('warns about a database that a newer version has migrated', async () => {
    const said: string[] = []
    const add = () =>
      owner.query(
        `insert into atrium_meta.migrations (name, sha256) values ('20991231-0000-of-a-later-version.sql', 'x')`,
      )
    await add()
    try {
      await migrate(made.ownerUrl, { report: (what) => said.push(what) })
    } finally {
      await owner.query(`delete from atrium_meta.migrations where name like '2099%'`)
    }
    assert.match(said.join('\n'), /^A newer version of Atrium .*20991231-0000.* rollback .* start the newer one\.$/)
  })

  it('refuses a taken port before the work of a start, and ends what a failed start of the server began', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const config = { ...made.context.config, host: '127.0.0.1', port, roles: { web: false, jobs: false } }
    let rounds = 0
    const endStale = async () => {
      rounds += 1
    }
    const platforms = { ...made.context.platforms, endStale }
    const context = { ...made.context, config, platforms }
    const roundsIn = async (ms: number) => {
      const before = rounds
      t.mock.timers.tick(ms)
      await new Promise((resolve) => setImmediate(resolve))
      return rounds - before
    }
    const taken = /^Another program already listens on this port/
    assert.match(await sentenceOf(refuseTakenPort(config, { patienceMs: 0 })), taken)
    assert.match(await sentenceOf(serve(context)), taken)
    assert.equal(await roundsIn(5_000), 0)
    other.close()
    await refuseTakenPort(config)
    const { stop } = await serve(context)
    assert.ok((await roundsIn(5_000)) > 0)
    await stop()
    assert.equal(await roundsIn(5_000), 0)
  })

  it('explains a data folder in use by another process', () => {
    const sentence = explainStart(new FolderInUse('/srv/atrium/data', '4711'))
    assert.match(sentence ?? '', /^The data in \/srv\/atrium\/data is in use by process 4711\. .*ATRIUM_DATA/)
  })

  it('leaves the stack of a programming error', () => {
    for (const fault of [
      new TypeError('x is not a function'),
      new Error('Impossible state: two owners'),
      'thrown text',
    ])
      assert.equal(explainStart(fault), null)
  })

  it('prints one line and exits with 1', async () => {
    const DATABASE_URL = `postgres://owner:secret-of-nobody@127.0.0.1:${await freePort()}/atrium`
    const { PATH = '', NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, ATRIUM_DATA: made.folder, DATABASE_URL, LOG_LEVEL: 'silent' }
    const [code, said] = await new Promise<[unknown, string]>((resolve) => {
      const program = fileURLToPath(new URL('./main.ts', import.meta.url))
      execFile(process.execPath, [program], { env: { ...env, ...productionMode } }, (problem, out, err) =>
        resolve([problem?.code, out + err]),
      )
    })
    assert.deepEqual([code, said.split('\n').length], [1, 2], said)
    assert.match(said, /^The database does not answer \(connect ECONNREFUSED/)
    assert.doesNotMatch(said, /secret-of-nobody/)
  })

  it('warns about a missing public URL, without which providers and mails would use localhost', () => {
    const warningsOf = (environment: Record<string, string>): string[] =>
      readConfig({ ...productionMode, ATRIUM_DATA: made.folder, DATABASE_URL: made.ownerUrl, ...environment }).warnings
    assert.match(warningsOf({}).join('\n'), /^PUBLIC_URL is not set: .*providers notify lead to https:\/\/localhost/)
    assert.deepEqual(warningsOf({ PUBLIC_URL: 'https://portal.example.com' }), [])
    assert.deepEqual(warningsOf({ ATRIUM_DOMAIN: 'portal.example.com' }), [])
  })
})
