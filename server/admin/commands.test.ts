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

const nowhere = 'postgres://nobody@127.0.0.1:1/nowhere'
const key = { ATRIUM_SECRET_KEY: 'for-this-test-0123456789-abcdefghij' }
const { adminWith } = commandLine(() => ({ databaseUrl: nowhere, folder: join(tmpdir(), 'atrium-not-there') }))

test('who called rightly is not told otherwise, whatever kind of error it failed by', async () => {
  // Refused by Node with a code that begins as those of options do.
  const environment = { ...key, DATABASE_URL: `${nowhere}?port=99999` }
  const failed = await adminWith(environment, 'jobs', 'list')
  assert.equal(failed.code, 1)
  assert.match(failed.err, /^Port should be/)
  assert.equal((await adminWith(key, 'jobs', 'list', '--fast')).code, 2)
})

test('a program that asks for JSON is told in JSON what was called wrongly and what failed', async () => {
  const told = async (...args: string[]) => {
    const { code, out } = await adminWith({ ...key, DATABASE_URL: `${nowhere}?port=99999` }, ...args)
    return { exit: code, ...JSON.parse(out) }
  }
  const wrong = { exit: 2, code: 'wrong_call' }
  const failed = await told('jobs', 'list', '--json')
  assert.match(failed.error, /^Port should be/)
  assert.deepEqual(failed, { exit: 1, code: 'failed', error: failed.error })
  const unknownOption = await told('--json', 'jobs', 'list', '--fast')
  assert.match(unknownOption.error, /--fast/)
  assert.deepEqual(unknownOption, { ...wrong, error: unknownOption.error })
  const unknownCommand = await told('fly', '--json')
  assert.match(unknownCommand.error, /There is no command fly/)
  assert.deepEqual(unknownCommand, { ...wrong, error: unknownCommand.error })
})
