// spec: OP operation
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { judgeStatements } from '../../../tests/catalogue/confined-statements.ts'
import { loggingStatements, readStatements } from '../../../tests/catalogue/statement-log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'

/** Test files that write in many domains. `ATRIUM_TEST_STATEMENTS=1 npm test` does the same with all tests. */
const files = [
  'server/deposits/deposit.test.ts',
  'server/funding/desk-table.test.ts',
  'server/members/desk-members.test.ts',
  'server/search/search.test.ts',
  'server/tickets/desk-tickets.test.ts',
]

const root = dirname(dirname(dirname(import.meta.dirname)))
let folder: string
let server: EmbeddedPostgres

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-test-'))
  chmodSync(folder, 0o711) // PostgreSQL runs as another user when the tests run as root.
  const settings = { fsync: 'off', synchronous_commit: 'off', max_connections: '300', ...loggingStatements }
  server = await startEmbeddedPostgres({ dataDirectory: folder, settings })
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('names the workspace in every statement that these tests cause', async () => {
  assert.equal(await runTests(), 0)
  const { onTables, problems } = await judgeStatements(await readStatements(server.url))
  assert.deepEqual(problems, [])
  assert.ok(onTables > 200, `${onTables} statements on tables: too few to prove anything`)
})

async function runTests(): Promise<unknown> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-reporter=dot', ...files], {
    cwd: root,
    env: { ...env, ATRIUM_TEST_DATABASE_URL: server.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  return code
}
