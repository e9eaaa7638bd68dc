// spec: OP operation
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandLine } from '../../tests/fixtures/command-line.ts'
import { countOf } from './command.ts'
import { commands, explain, usage } from './commands.ts'

test('lists every command once, with its own help', () => {
  const words = commands.map((command) => command.words)
  assert.equal(new Set(words).size, words.length)
  for (const command of commands) {
    assert.match(command.words, /^[a-z]+ [a-z-]+$/)
    assert.ok(usage().includes(`  ${command.words}`), command.words)
    assert.ok(explain(command).startsWith(`npm run admin -- ${command.words}`))
    assert.ok(explain(command).includes(command.summary))
  }
})

test('prints the commands of a topic, and all commands for an unknown topic', () => {
  assert.match(usage('jobs'), /jobs retry/)
  assert.doesNotMatch(usage('jobs'), /workspace add/)
  assert.equal(usage('flying'), usage())
})

test('counts the arguments that the help names, without options', () => {
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

test('reports a failure of a correct call with exit code 1, not as a wrong call', async () => {
  // Node refuses the port with a code that starts like those of wrong options.
  const environment = { ...key, DATABASE_URL: `${nowhere}?port=99999` }
  const failed = await adminWith(environment, 'jobs', 'list')
  assert.equal(failed.code, 1)
  assert.match(failed.err, /^Port should be/)
  assert.equal((await adminWith(key, 'jobs', 'list', '--fast')).code, 2)
})

test('refuses an unknown command even with --help, and refuses a bare --json', async () => {
  for (const words of [['fly'], ['fly', 'high'], ['jobs', 'fly'], ['jobs', 'fly', 'high']]) {
    const { code, out, err } = await adminWith(key, ...words, '--help')
    assert.deepEqual([code, out], [2, ''], words.join(' '))
    assert.match(err, /^Unknown command: (fly|jobs)/)
  }
  const bare = await adminWith(key, '--json')
  assert.deepEqual([bare.code, JSON.parse(bare.out).code], [2, 'wrong_call'])
  for (const words of [[], ['jobs', '--help'], ['--help'], ['jobs', 'retry', 'any.queue', '--help']])
    assert.equal((await adminWith(key, ...words)).code, 0, words.join(' '))
  const runAdmin = await adminWith(key, 'jobs', 'retry', '--help', '--json')
  assert.match(JSON.parse(runAdmin.out).text, /^npm run admin -- jobs retry/)
})

test('refuses an option that the command does not take, and accepts those it takes', async () => {
  for (const [words, option] of [
    [['member', 'export', 'north', 'mara@north.test'], '--reason'],
    [['staff', 'lock', 'north', 'nora@north.test'], '--role'],
    [['audit', 'verify', 'north'], '--to'],
    [['jobs', 'list'], '--head'],
  ] as const) {
    const { code, err } = await adminWith(key, ...words, option, 'something')
    assert.equal(code, 2, `${words.join(' ')} ${option}`)
    assert.match(err, new RegExp(`^Unknown option: ${option}`))
  }
  for (const { words, takes } of commands)
    for (const [option] of takes.matchAll(/--\w+/g)) {
      const { min } = countOf({ words, takes, summary: '', run: async () => [] })
      const { code } = await adminWith(key, ...words.split(' '), ...Array(min).fill('something'), option, 'something')
      assert.equal(code, 1, `${words} ${option}`)
    }
})

test('answers wrong calls and failures in JSON with --json', async () => {
  const runAdmin = async (...args: string[]) => {
    const { code, out } = await adminWith({ ...key, DATABASE_URL: `${nowhere}?port=99999` }, ...args)
    return { exit: code, ...JSON.parse(out) }
  }
  const wrong = { exit: 2, code: 'wrong_call' }
  const failed = await runAdmin('jobs', 'list', '--json')
  assert.match(failed.error, /^Port should be/)
  assert.deepEqual(failed, { exit: 1, code: 'failed', error: failed.error })
  const unknownOption = await runAdmin('--json', 'jobs', 'list', '--fast')
  assert.match(unknownOption.error, /--fast/)
  assert.deepEqual(unknownOption, { ...wrong, error: unknownOption.error })
  const unknownCommand = await runAdmin('fly', '--json')
  assert.match(unknownCommand.error, /Unknown command: fly/)
  assert.deepEqual(unknownCommand, { ...wrong, error: unknownCommand.error })
})
