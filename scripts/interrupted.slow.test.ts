import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../tests/doubles/child-server.ts'

const root = dirname(import.meta.dirname)
let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-interrupted-'))
  chmodSync(folder, 0o711) // When run as root, the user of PostgreSQL needs access.
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** Every process with the folder in its arguments or its environment. */
function programsIn(place: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      ['cmdline', 'environ'].some((file) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(place)
        } catch {
          return false // It has ended, or belongs to another user.
        }
      }),
    )
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} in the middle of a run leaves no process, database or folder behind`, async () => {
    assert.ok(existsSync('/proc/self/environ'), 'processes are found by /proc, which only Linux has')
    const run = spawn(process.execPath, ['scripts/testing/test-all.ts', 'server/members/profile.test.ts'], {
      cwd: root,
      env: { ...process.env, TMPDIR: folder, DATABASE_URL: undefined, ATRIUM_TEST_DATABASE_URL: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    run.stdout.on('data', (chunk) => (said += String(chunk)))
    const exited = once(run, 'exit')
    // The runner, the database, and the process of the test file.
    await eventually('the tests are running', async () => programsIn(folder).length >= 3)
    run.kill(signal)
    const [code] = await exited
    assert.notEqual(code, 0)
    assert.match(said, /^Interrupted/m)
    assert.deepEqual(programsIn(folder), [])
    assert.deepEqual(readdirSync(folder), [])
  })
