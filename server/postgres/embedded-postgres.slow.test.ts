// spec: OP faults
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'
import { locateCluster, nobody } from './postgres-location.ts'
import { clusterProcesses, findPostmaster, isAlive, isTrueWithin } from './postgres-process.ts'

const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off', shared_buffers: '16MB' }

let base: string
let running: EmbeddedPostgres | undefined

before(() => {
  base = mkdtempSync(join(tmpdir(), 'atrium-embedded-'))
  chmodSync(base, 0o755) // As root, `nobody` must be able to pass.
})
after(() => rmSync(base, { recursive: true, force: true }))
afterEach(async () => {
  await running?.stop()
  running = undefined
})

async function start(dataDirectory: string, more: Partial<EmbeddedPostgresOptions> = {}) {
  running = await startEmbeddedPostgres({ dataDirectory, settings, outside: [join(base, 'outside')], ...more })
  return running
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

const readNotes = async (url: string) =>
  (await query<{ text: string }>(url, 'SELECT text FROM notes')).map((r) => r.text)
const writeNote = (url: string) => query(url, "CREATE TABLE notes AS SELECT 'kept' AS text")

/** Another program that starts the same database and lives until it is killed. */
async function startElsewhere(dataDirectory: string): Promise<ChildProcess> {
  const source = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)}
    const options = ${JSON.stringify({ dataDirectory, settings, outside: [join(base, 'outside')] })}
    await startEmbeddedPostgres(options)
    process.stdout.write('ready')
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  assert.ok(child.stdout)
  const [said] = await once(child.stdout, 'data')
  assert.equal(String(said), 'ready')
  return child
}

async function kill(child: ChildProcess) {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

describe('an ordinary life', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(base, 'life-'))
    chmodSync(folder, 0o755)
  })

  test('the first start makes the database, the second finds what was written', async () => {
    const first = await start(folder)
    const [facts] = await query<Record<string, string>>(
      first.url,
      `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('fsync') AS fsync,
        current_setting('listen_addresses') AS address, current_setting('unix_socket_directories') AS sockets,
        (SELECT concat_ws(':', datlocprovider, datlocale, pg_encoding_to_char(encoding))
          FROM pg_database WHERE datname = current_database()) AS locale`,
    )
    assert.deepEqual(facts, { version: 18, fsync: 'off', address: '127.0.0.1', sockets: '', locale: 'b:C.UTF-8:UTF8' })
    await writeNote(first.url)
    await first.stop()
    assert.equal(isAlive(first.pid), false)

    const second = await start(folder)
    assert.equal(second.adopted, false)
    assert.deepEqual(await readNotes(second.url), ['kept'])
  })

  test('nobody gets in without the password, which only the owner of the folder may read', async () => {
    const { url } = await start(folder)
    const wrong = new URL(url)
    wrong.password = 'guess'
    await assert.rejects(query(wrong.href, 'SELECT 1'), { code: '28P01' })
    for (const file of ['owner-password', 'postgres.log', 'lock'])
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
  })

  test('a second program on the same folder is told who has it', async () => {
    await start(folder)
    await assert.rejects(
      startEmbeddedPostgres({ dataDirectory: folder, lockPatienceMs: 0 }),
      new RegExp(`in use by process ${process.pid}`),
    )
  })

  test('the lock ends with its process, even one that was killed', async () => {
    const other = await startElsewhere(folder)
    await assert.rejects(
      startEmbeddedPostgres({ dataDirectory: folder, lockPatienceMs: 0 }),
      new RegExp(`in use by process ${other.pid}`),
    )
    await kill(other)
    await start(folder)
  })

  test('a start waits for a program that is closing down', async () => {
    const first = await start(folder)
    const second = startEmbeddedPostgres({ dataDirectory: folder, settings, outside: [join(base, 'outside')] })
    await first.stop()
    running = await second
    assert.equal(running.adopted, false)
  })
})

describe('after a fault', () => {
  let folder: string
  beforeEach(async () => {
    folder = mkdtempSync(join(base, 'fault-'))
    chmodSync(folder, 0o755)
    const { url } = await start(folder)
    await writeNote(url)
  })

  async function stopped() {
    await running?.stop()
    running = undefined
  }

  test('a server whose program was killed is taken over', async () => {
    await stopped()
    const other = await startElsewhere(folder)
    const left = findPostmaster(cluster(folder))
    await kill(other)
    const { url, adopted, pid } = await start(folder)
    assert.deepEqual({ adopted, pid }, { adopted: true, pid: left?.pid })
    assert.deepEqual(await readNotes(url), ['kept'])
  })

  test('a server left behind that does not answer is ended and started anew', async () => {
    await stopped()
    const other = await startElsewhere(folder)
    const left = findPostmaster(cluster(folder))
    assert.ok(left)
    process.kill(left.pid, 'SIGSTOP')
    await kill(other)
    const { url, adopted } = await start(folder, { adoptionMs: 100, patienceMs: 100 })
    assert.equal(adopted, false)
    assert.deepEqual(await readNotes(url), ['kept'])
  })

  test('one that is kept is started again where it was, and stays away once it is told to stop', async () => {
    await running?.stop()
    const { url, pid, stop } = await start(folder, { keep: true })
    process.kill(pid, 'SIGKILL')
    // It answers a moment before it is known for ready.
    const isBack = () =>
      readNotes(url).then(
        (notes) => notes[0] === 'kept' && running?.pid !== pid,
        () => false,
      )
    assert.ok(await isTrueWithin(30_000, isBack))
    await stop()
    running = undefined
    assert.deepEqual(clusterProcesses(locateCluster(folder, [join(base, 'outside')]).place), [])
    await assert.rejects(readNotes(url))
  })

  test('a killed PostgreSQL recovers', async () => {
    assert.ok(running)
    process.kill(running.pid, 'SIGKILL')
    await stopped()
    const { url } = await start(folder)
    assert.deepEqual(await readNotes(url), ['kept'])
  })

  test('no new server starts beside a query that the killed one left running', async () => {
    assert.ok(running)
    const client = new pg.Client({ connectionString: running.url })
    client.on('error', () => undefined)
    await client.connect()
    // Busy in one expression, so that it notices neither its dead parent nor a polite request.
    const busy = client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => undefined)
    assert.ok(await isTrueWithin(5_000, async () => (await activeQueries()) === 1))
    process.kill(running.pid, 'SIGKILL')
    const { url } = await restarted()
    assert.deepEqual(await readNotes(url), ['kept'])
    await busy
    const postmasters = clusterProcesses(cluster(folder)).filter(({ isPostmaster }) => isPostmaster)
    assert.equal(postmasters.length, 1)
  })

  async function activeQueries() {
    const sql = `SELECT FROM pg_stat_activity WHERE query LIKE '%generate_series%' AND state = 'active' AND pid <> pg_backend_pid()`
    return running ? (await query(running.url, sql)).length : 0
  }

  async function restarted() {
    await stopped()
    return start(folder, { patienceMs: 100 })
  }

  for (const [name, note] of [
    ['of a process that is gone', (file: string) => file.replace(/^\d+/, '999999')],
    ['whose number another process has now', (file: string) => file.replace(/^\d+/, String(process.ppid))],
    ['that is empty', () => ''],
  ] as const) {
    test(`a note left behind ${name} does not stop a start`, async () => {
      const file = join(cluster(folder), 'postmaster.pid')
      const written = readFileSync(file, 'utf8')
      await stopped()
      writeFileSync(file, note(written))
      const { url } = await start(folder)
      assert.deepEqual(await readNotes(url), ['kept'])
    })
  }

  test('a start that was killed while making the database is begun again', async () => {
    await stopped()
    const fresh = mkdtempSync(join(base, 'half-'))
    chmodSync(fresh, 0o755)
    mkdirSync(join(fresh, 'cluster.new', 'base'), { recursive: true })
    writeFileSync(join(fresh, 'owner-password'), 'half')
    const { url } = await start(fresh)
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }])
  })
})

describe('whom it runs as and where', () => {
  test('root hands over to nobody, others run it themselves', async () => {
    const folder = mkdtempSync(join(base, 'who-'))
    chmodSync(folder, 0o755)
    await start(folder)
    assert.equal(statSync(join(cluster(folder), 'postmaster.pid')).uid, isRoot ? nobody().uid : process.getuid?.())
    assert.equal(existsSync(join(folder, 'place')), false)
  })

  test('in a folder that only its owner may enter, the data lies where PostgreSQL can reach it', async () => {
    const folder = mkdtempSync(join(base, 'private-')) // Mode 0700.
    const { url } = await start(folder)
    await writeNote(url)
    await running?.stop()
    const noted = existsSync(join(folder, 'place'))
    assert.equal(noted, isRoot)
    assert.equal(existsSync(join(folder, 'cluster')), !isRoot)
    if (noted) assert.ok(readFileSync(join(folder, 'place'), 'utf8').startsWith(join(base, 'outside')))
    const again = await start(folder)
    assert.deepEqual(await readNotes(again.url), ['kept'])
  })

  test('a database whose noted place is gone is missed loudly', async () => {
    const folder = mkdtempSync(join(base, 'gone-'))
    writeFileSync(join(folder, 'place'), '/nowhere/atrium\n')
    await assert.rejects(start(folder), /was in \/nowhere\/atrium, which is gone/)
  })

  test('the user nobody is looked up, with the usual number when it is not listed', () => {
    const passwd = join(base, 'passwd')
    writeFileSync(passwd, 'root:x:0:0::/root:/bin/sh\nnobody:x:99:98:Nobody:/:/sbin/nologin\n')
    assert.deepEqual(nobody(passwd), { uid: 99, gid: 98 })
    assert.deepEqual(nobody(join(base, 'no-such-file')), { uid: 65534, gid: 65534 })
  })
})

function cluster(folder: string) {
  return join(locateCluster(folder, []).place, 'cluster')
}
