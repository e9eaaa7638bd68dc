/** Parses all of standard output as the answer: other messages must go to standard error. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { npmCommand, repository } from '../../scripts/setup.js'
import { backupKey } from '../../tests/fixtures/backups.ts'
import { commandLine } from '../../tests/fixtures/command-line.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'

let made: MadeContext
let north: System
before(async () => {
  made = await makeTestContext()
  north = await addWorkspace(made.context, { subdomain: 'north' })
})
after(() => made.close())

const { adminProgram } = commandLine(() => ({ databaseUrl: made.ownerUrl, folder: made.folder }))

const nowhere = {
  S3_BUCKET: 'documents',
  S3_ENDPOINT: 'http://127.0.0.1:1',
  S3_ACCESS_KEY_ID: 'atrium',
  S3_SECRET_ACCESS_KEY: 'of-this-test-alone',
}

test('an unreachable bucket is logged, and standard output holds only the answer of the backup', async () => {
  const { memberId } = await addMember(north)
  await addMedia(north, { memberId })
  const backups = { ATRIUM_BACKUP_KEY: backupKey, ATRIUM_BACKUP_FOLDER: join(made.folder, 'backups') }
  const { code, out, err } = await adminProgram({ ...nowhere, ...backups }, 'backup', 'make', '--json')
  assert.equal(code, 1, err)
  assert.equal(JSON.parse(out).code, 'failed')
  assert.match(err, /"reason":"The bucket does not answer","msg":"The bucket for uploaded files cannot be used/)
})

test('a platform secret that cannot be opened is logged, and standard output holds only the alarm', async () => {
  await addPlatform(north, { connection: { settings: {}, secret: { password: 'of-this-test-alone' } } })
  const otherKey = { ATRIUM_SECRET_KEY: 'another-0123456789-abcdefghijklmnopqrst', LOG_LEVEL: 'info' }
  const { code, out, err } = await adminProgram(otherKey, 'platform', 'check', '--json')
  assert.equal(code, 3, err)
  assert.equal(JSON.parse(out).found.reports[0].findings[0].verdict, 'wrong')
  assert.match(err, /platform cannot be connected/)
})

/** Runs the command in the caller's directory, through npm. */
function npm(caller: string, ...args: string[]): Promise<{ code: number; out: string }> {
  const { command, args: first } = npmCommand(repository, process.env)
  // Removes the npm variables of the process that runs these tests.
  const plain = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/.test(name))
  const place = { NODE_ENV: 'test', DATABASE_URL: made.ownerUrl, ATRIUM_DATA: made.folder }
  const options = { cwd: caller, env: { ...Object.fromEntries(plain), ...place } }
  return new Promise((resolve) => {
    execFile(command, [...first, '--prefix', repository, ...args], options, (problem, out) =>
      resolve({ code: Number(problem?.code ?? 0), out }),
    )
  })
}

test('standard output holds only the answer when called through npm as documented for programs', async () => {
  for (const [file, words] of [
    ['docs/operators/admin-commands.md', 'workspace list'],
    ['docs/operators/platforms/README.md', 'platform check'],
  ] as const) {
    const [, line = ''] =
      /`npm (run --silent admin -- [^`]*--json)`/.exec(readFileSync(join(repository, file), 'utf8')) ?? []
    assert.ok(line.includes(words), file)
    const { code, out } = await npm(made.folder, ...line.split(' '))
    assert.ok(code === 0 || code === 3, out)
    assert.doesNotThrow(() => JSON.parse(out), out)
  }
})

test('resolves a relative path against the directory of the caller, not the one npm runs scripts in', async () => {
  const caller = join(made.folder, 'standing-here')
  mkdirSync(caller)
  await addMember(north, { email: 'mara@north.test' })
  const words = ['member', 'export', 'north', 'mara@north.test', '--to', 'mara.zip', '--json']
  const { code, out } = await npm(caller, 'run', '--silent', 'admin', '--', ...words)
  assert.equal(code, 0, out)
  assert.equal(JSON.parse(out).file, join(caller, 'mara.zip'))
  assert.deepEqual(readdirSync(caller), ['mara.zip'])
})
