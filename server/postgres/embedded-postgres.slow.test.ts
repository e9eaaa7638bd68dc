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
import { becomesTrueWithin, clusterProcesses, findPostmaster, isAlive } from './postgres-process.ts'

const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off', shared_buffers: '16MB' }

let base: string
let running: EmbeddedPostgres | undefined

before(() => {
  base = mkdtempSync(join(tmpdir(), 'atrium-embedded-'))
  chmodSync(base, 0o755) // When run as root, the user `nobody` must be able to enter.
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

/** Another program that starts the same database and runs until it is killed. */
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

describe('in normal operation', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(base, 'life-'))
    chmodSync(folder, 0o755)
  })

  test('creates the database on the first start and finds its data on the second', async () => {
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

  test('requires the password, which only the owner of the folder can read', async () => {
    const { url } = await start(folder)
    const wrong = new URL(url)
    wrong.password = 'guess'
    await assert.rejects(query(wrong.href, 'SELECT 1'), { code: '28P01' })
    for (const file of ['owner-password', 'postgres.log', 'lock'])
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
  })

  test('names the holding process to a second program on the same folder', async () => {
    await start(folder)
    await assert.rejects(
      startEmbeddedPostgres({ dataDirectory: folder, lockPatienceMs: 0 }),
      new RegExp(`in use by process ${process.pid}`),
    )
  })

  test('releases the lock when its process ends, also when killed', async () => {
    const other = await startElsewhere(folder)
    await assert.rejects(
      startEmbeddedPostgres({ dataDirectory: folder, lockPatienceMs: 0 }),
      new RegExp(`in use by process ${other.pid}`),
    )
    await kill(other)
    await start(folder)
  })

  test('waits for a program that is shutting down', async () => {
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

  test('adopts a server whose program was killed', async () => {
    await stopped()
    const other = await startElsewhere(folder)
    const left = findPostmaster(cluster(folder))
    await kill(other)
    const { url, adopted, pid } = await start(folder)
    assert.deepEqual({ adopted, pid }, { adopted: true, pid: left?.pid })
    assert.deepEqual(await readNotes(url), ['kept'])
  })

  test('stops a remaining server that does not answer, and starts a new one', async () => {
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

  test('restarts a supervised server on the same port, and not after it was stopped', async () => {
    await running?.stop()
    const { url, pid, stop } = await start(folder, { keep: true })
    process.kill(pid, 'SIGKILL')
    // It answers queries a moment before `start` considers it ready.
    const isBack = () =>
      readNotes(url).then(
        (notes) => notes[0] === 'kept' && running?.pid !== pid,
        () => false,
      )
    assert.ok(await becomesTrueWithin(30_000, isBack))
    await stop()
    running = undefined
    assert.deepEqual(clusterProcesses(locateCluster(folder, [join(base, 'outside')]).place), [])
    await assert.rejects(readNotes(url))
  })

  test('recovers a killed PostgreSQL', async () => {
    assert.ok(running)
    process.kill(running.pid, 'SIGKILL')
    await stopped()
    const { url } = await start(folder)
    assert.deepEqual(await readNotes(url), ['kept'])
  })

  test('starts no new server beside a query of a killed one', async () => {
    assert.ok(running)
    const client = new pg.Client({ connectionString: running.url })
    client.on('error', () => undefined)
    await client.connect()
    // Busy in one expression, so it notices neither its dead parent nor a polite signal.
    const busy = client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => undefined)
    assert.ok(await becomesTrueWithin(5_000, async () => (await activeQueries()) === 1))
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
    ['of an ended process', (file: string) => file.replace(/^\d+/, '999999')],
    ['whose number another process now has', (file: string) => file.replace(/^\d+/, String(process.ppid))],
    ['that is empty', () => ''],
  ] as const) {
    test(`starts despite a stale PID file ${name}`, async () => {
      const file = join(cluster(folder), 'postmaster.pid')
      const written = readFileSync(file, 'utf8')
      await stopped()
      writeFileSync(file, note(written))
      const { url } = await start(folder)
      assert.deepEqual(await readNotes(url), ['kept'])
    })
  }

  test('repeats a start that was killed while creating the database', async () => {
    await stopped()
    const fresh = mkdtempSync(join(base, 'half-'))
    chmodSync(fresh, 0o755)
    mkdirSync(join(fresh, 'cluster.new', 'base'), { recursive: true })
    writeFileSync(join(fresh, 'owner-password'), 'half')
    const { url } = await start(fresh)
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }])
  })
})

describe('user and location', () => {
  test('runs as nobody when started by root, and as the same user otherwise', async () => {
    const folder = mkdtempSync(join(base, 'who-'))
    chmodSync(folder, 0o755)
    await start(folder)
    assert.equal(statSync(join(cluster(folder), 'postmaster.pid')).uid, isRoot ? nobody().uid : process.getuid?.())
    assert.equal(existsSync(join(folder, 'place')), false)
  })

  test('keeps the data where PostgreSQL can reach it when the folder is private', async () => {
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

  test('fails with a message when the recorded location is gone', async () => {
    const folder = mkdtempSync(join(base, 'gone-'))
    writeFileSync(join(folder, 'place'), '/nowhere/atrium\n')
    await assert.rejects(start(folder), /was in \/nowhere\/atrium, which no longer exists/)
  })

  test('looks up the user nobody, with the usual id as fallback', () => {
    const passwd = join(base, 'passwd')
    writeFileSync(passwd, 'root:x:0:0::/root:/bin/sh\nnobody:x:99:98:Nobody:/:/sbin/nologin\n')
    assert.deepEqual(nobody(passwd), { uid: 99, gid: 98 })
    assert.deepEqual(nobody(join(base, 'no-such-file')), { uid: 65534, gid: 65534 })
  })
})

function cluster(folder: string) {
  return join(locateCluster(folder, []).place, 'cluster')
}
