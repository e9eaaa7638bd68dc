import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { hashToken } from '../sessions/token.ts'
import { prepare } from '../start.ts'
import { type ChildServer, eventually, startChildServer } from '../testing/child-server.ts'
import { addMember, addWorkspace, openTestSession } from '../testing/harbour.ts'
import { type RestartableDatabase, startRestartableDatabase } from '../testing/restartable-database.ts'
import { startSteadyCallers } from '../testing/steady-callers.ts'
import { migrate } from './migrate.ts'

/** V4 asks for twenty; each is the same. */
const rounds = Number(process.env.ATRIUM_RESTARTS ?? 4)
/** No member of them comes near how many tokens one may take in a while. */
const people = 12

describe('a database that is ended under load and started again', () => {
  let folder: string
  let database: RestartableDatabase
  let servers: ChildServer[]
  let tokens: string[]

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-restart-'))
    database = await startRestartableDatabase(join(folder, 'postgres'))
    await migrate(database.url)
    tokens = await openSessions()
    servers = await Promise.all([startServer(), startServer()])
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const startServer = () => startChildServer({ databaseUrl: database.url, dataDirectory: folder })

  async function openSessions(): Promise<string[]> {
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', DATABASE_URL: database.url, ATRIUM_DATA: folder })
    const { ground, close } = await prepare(config)
    try {
      const system = await addWorkspace(ground, { subdomain: 'harbour', isDefault: true })
      const opened: string[] = []
      for (let index = 0; index < people; index += 1) {
        const { memberId } = await addMember(system)
        opened.push((await openTestSession(system, { kind: 'member', id: memberId })).token)
      }
      return opened
    } finally {
      await close()
    }
  }

  async function countKept(acknowledged: readonly string[]): Promise<number> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<{ kept: number }>(
      'select count(*)::int as kept from nonces where token_hash = any($1)',
      [acknowledged.map(hashToken)],
    )
    await client.end()
    return rows[0]?.kept ?? 0
  }

  test('loses nothing that was acknowledged, is spoken of as away, and is found again by the same processes', async () => {
    const callers = startSteadyCallers(
      tokens.map((token, index) => ({ url: servers[index % servers.length]?.url ?? '', token })),
      150,
    )
    const { answers } = callers
    const writes = () => answers.filter(({ token }) => token !== undefined).length
    for (let round = 0; round < rounds; round += 1) {
      const before = writes()
      await eventually('somebody writes', async () => writes() > before + people)
      await database.halt(round % 2 === 0 ? 'SIGQUIT' : 'SIGKILL')
      const beforeStart = answers.length
      await eventually('everybody is told that it is away', async () => answers.length > beforeStart + people)
      await database.start()
    }
    const last = writes()
    await eventually('everybody writes again', async () => writes() > last + people)
    await callers.stop()

    const away = answers.filter(({ status }) => status !== 200)
    assert.ok(away.length > 0)
    assert.deepEqual([...new Set(away.map(({ status, code }) => `${status} ${code}`))], ['503 unavailable'])
    const acknowledged = answers.flatMap(({ token }) => token ?? [])
    assert.equal(await countKept(acknowledged), acknowledged.length)
    assert.deepEqual(
      servers.map(({ child }) => child.exitCode ?? child.signalCode),
      [null, null],
    )
  })
})
