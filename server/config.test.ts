import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from './config.ts'

const secret = 'a secret of at least thirty-two characters'

test('a process does what its roles say, and one with a slip in them does not start to do nothing', () => {
  const rolesOf = (roles?: string) => readConfig({ ATRIUM_ROLES: roles, ATRIUM_SECRET_KEY: secret }).roles
  assert.deepEqual(rolesOf(), { web: true, jobs: true })
  assert.deepEqual(rolesOf('web'), { web: true, jobs: false })
  assert.deepEqual(rolesOf(' jobs , web'), { web: true, jobs: true })
  for (const slip of ['wbe', 'web;jobs', 'web,', 'all', ',']) assert.throws(() => rolesOf(slip), /ATRIUM_ROLES/)
})

test('processes that start at once on a new folder agree on its secret key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-config-'))
  try {
    const module = new URL('./config.ts', import.meta.url).href
    const code = `import { readConfig } from ${JSON.stringify(module)}
      process.stdout.write(readConfig({ ATRIUM_DATA: ${JSON.stringify(folder)} }).secretKey)`
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    const keys = (await Promise.all(Array.from({ length: 4 }, start))).map(({ stdout }) => stdout)
    assert.equal(new Set(keys).size, 1)
    assert.ok((keys[0] ?? '').length >= 43)
    assert.deepEqual(readdirSync(folder), ['secret.key'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test("a machine is a developer's only where that was said", () => {
  const isDevelopment = (NODE_ENV?: string) => readConfig({ NODE_ENV, ATRIUM_SECRET_KEY: secret }).development
  assert.deepEqual([undefined, '', 'production'].map(isDevelopment), [false, false, false])
  assert.deepEqual(['development', 'test'].map(isDevelopment), [true, true])
})
