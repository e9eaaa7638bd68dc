import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext, productionMode } from '../tests/fixtures/context.ts'
import { readConfig } from './config.ts'
import { migrate } from './foundation/database/migrate.ts'
import { FolderInUse } from './postgres/folder-lock.ts'
import { serve } from './start.ts'
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
    assert.equal(explainStart(full), 'The disk of the database is full (could not extend file).')
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
