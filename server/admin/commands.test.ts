import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandLine } from '../testing/command-line.ts'
import { countOf } from './command.ts'
import { commands, explain, usage } from './commands.ts'

test('every command stands in the list once, with help of its own', () => {
  const words = commands.map((command) => command.words)
  assert.equal(new Set(words).size, words.length)
  for (const command of commands) {
    assert.match(command.words, /^[a-z]+ [a-z-]+$/)
    assert.ok(usage().includes(`  ${command.words}`), command.words)
    assert.ok(explain(command).startsWith(`npm run admin -- ${command.words}`))
    assert.ok(explain(command).includes(command.says))
  }
})

test('a topic lists its own commands, and whoever names none that there is sees all', () => {
  assert.match(usage('jobs'), /jobs retry/)
  assert.doesNotMatch(usage('jobs'), /workspace add/)
  assert.equal(usage('flying'), usage())
})

test('as many words are taken as the help says; options are none of them', () => {
  const counted = Object.fromEntries(commands.map((command) => [command.words, countOf(command)]))
  assert.deepEqual(counted['workspace list'], { min: 0, max: 0 })
  assert.deepEqual(counted['member add'], { min: 4, max: 4 })
  assert.deepEqual(counted['platform check'], { min: 0, max: 2 })
  assert.deepEqual(counted['staff role'], { min: 2, max: 2 })
  assert.deepEqual(counted['audit verify'], { min: 0, max: 1 })
})

test('who called rightly is not told otherwise, whatever kind of error it failed by', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/nowhere'
  const { adminWith } = commandLine(() => ({ databaseUrl: nowhere, folder: join(tmpdir(), 'atrium-not-there') }))
  const key = { ATRIUM_SECRET_KEY: 'for-this-test-0123456789-abcdefghij' }
  const failed = await adminWith(
    { ...key, DATABASE_DIRECT_URL: 'postgres://user:hunter2/x@db.test/atrium' },
    'jobs',
    'list',
  )
  assert.deepEqual(failed, { code: 1, out: 'Invalid URL\n' })
  assert.equal((await adminWith(key, 'jobs', 'list', '--fast')).code, 2)
})
