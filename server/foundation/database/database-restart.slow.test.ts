// spec: OP faults
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type ChildServer, eventually, startChildServer } from '../../../tests/doubles/child-server.ts'
import { type RestartableDatabase, startRestartableDatabase } from '../../../tests/doubles/restartable-database.ts'
import { countLost, openCallerSessions, startSteadyCallers } from '../../../tests/fixtures/steady-callers.ts'
import { migrate } from './migrate.ts'

/** V4 requires twenty; the runs are identical. */
const rounds = Number(process.env.ATRIUM_TEST_RESTARTS ?? 4)
/** Enough members that none reaches the rate limit for tokens. */
const people = 12

describe('a database killed under load and restarted', () => {
  let folder: string
  let database: RestartableDatabase
  let servers: ChildServer[]
  let tokens: string[]

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-restart-'))
    database = await startRestartableDatabase(join(folder, 'postgres'))
    await migrate(database.url)
    tokens = await openCallerSessions({ DATABASE_URL: database.url, ATRIUM_DATA: folder }, people)
    servers = await Promise.all([startServer(), startServer()])
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const startServer = () => startChildServer({ databaseUrl: database.url, dataDirectory: folder })

  test('loses no acknowledged write, is reported as down, and is used again by the same processes', async () => {
    const callers = startSteadyCallers(
      tokens.map((token, index) => ({ url: servers[index % servers.length]?.url ?? '', token })),
      150,
    )
    const { answers } = callers
    const writes = () => answers.filter(({ token }) => token !== undefined).length
    for (let round = 0; round < rounds; round += 1) {
      const before = writes()
      await eventually('a write is acknowledged', async () => writes() > before + people)
      await database.halt(round % 2 === 0 ? 'SIGQUIT' : 'SIGKILL')
      const beforeStart = answers.length
      await eventually('every caller gets 503', async () => answers.length > beforeStart + people)
      await database.start()
    }
    const last = writes()
    await eventually('every caller can write again', async () => writes() > last + people)
    await callers.stop()

    const away = answers.filter(({ status }) => status !== 200)
    assert.ok(away.length > 0)
    assert.deepEqual([...new Set(away.map(({ status, code }) => `${status} ${code}`))], ['503 unavailable'])
    assert.ok(writes() > 0)
    assert.equal(await countLost(database.url, answers), 0)
    assert.deepEqual(
      servers.map(({ child }) => child.exitCode ?? child.signalCode),
      [null, null],
    )
  })
})
