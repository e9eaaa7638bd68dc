import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { lockFolder } from '../../server/postgres/folder-lock.ts'
import { chownTo, nobody } from '../../server/postgres/postgres-location.ts'
import { findPostmaster, isAlive } from '../../server/postgres/postgres-process.ts'
import { sweep } from './test-database.ts'

let parent: string
before(() => {
  parent = mkdtempSync(join(tmpdir(), 'atrium-sweeping-'))
  chmodSync(parent, 0o755) // When run as root, the user of PostgreSQL needs access.
})
after(() => rmSync(parent, { recursive: true, force: true }))

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
const run = (source: string): ChildProcess =>
  spawn(process.execPath, ['--input-type=module-typescript', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })

/** The folder of a run that was killed an hour ago, with its server still running. */
async function killedRun(name: string): Promise<{ folder: string; pid: number }> {
  const folder = join(parent, name)
  mkdirSync(folder, { mode: 0o711 })
  const child = run(`
    import { startEmbeddedPostgres } from ${here('../../server/postgres/embedded-postgres.ts')}
    await startEmbeddedPostgres(${JSON.stringify({ dataDirectory: folder, outside: [join(folder, 'outside')] })})
    process.stdout.write('ready')
    setInterval(() => undefined, 1000)`)
  assert.ok(child.stdout)
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const postmaster = findPostmaster(join(folder, 'cluster'))
  assert.ok(postmaster)
  age(folder)
  return { folder, pid: postmaster.pid }
}

function age(folder: string): void {
  const anHourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(folder, anHourAgo, anHourAgo)
}

const left = () => readdirSync(parent).sort()

test('concurrent sweeps remove a killed run without an error', async () => {
  const { folder, pid } = await killedRun('atrium-test-killed')
  const sweeping = `import { sweep } from ${here('./test-database.ts')}; await sweep(${JSON.stringify(parent)})`
  const ended = await Promise.all(Array.from({ length: 4 }, () => once(run(sweeping), 'exit')))
  assert.deepEqual(
    ended.map(([code]) => code),
    [0, 0, 0, 0],
  )
  assert.ok(!existsSync(folder))
  assert.ok(!isAlive(pid))
})

test('a new folder is left alone, and a partly removed one is removed', async () => {
  mkdirSync(join(parent, 'atrium-test-young'))
  mkdirSync(join(parent, 'atrium-test-swept-half', 'cluster'), { recursive: true })
  writeFileSync(join(parent, 'atrium-test-swept-half', 'cluster', 'postgresql.conf'), '')
  mkdirSync(join(parent, 'atrium-of-somebody-else'))
  await sweep(parent)
  assert.deepEqual(left(), ['atrium-of-somebody-else', 'atrium-test-young'])
})

test('a run without a database is swept only after it was killed', async () => {
  const folder = join(parent, 'atrium-test-without')
  mkdirSync(folder)
  const lock = lockFolder(folder)
  age(folder)
  await sweep(parent)
  assert.ok(existsSync(folder))
  lock.release()
  age(folder)
  await sweep(parent)
  assert.ok(!existsSync(folder))
})

test('a folder that disappears during the sweep is ignored', async () => {
  const gone = join(parent, 'atrium-test-going')
  const cluster = join(gone, 'cluster') // Without its PG_VERSION, which was removed first.
  mkdirSync(cluster, { recursive: true })
  if (process.getuid?.() === 0) chownTo(cluster, nobody())
  age(gone)
  await sweep(parent)
  assert.deepEqual(
    left().filter((name) => name !== 'atrium-test-going'),
    ['atrium-of-somebody-else', 'atrium-test-young'],
  )
})
