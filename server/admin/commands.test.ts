import assert from 'node:assert/strict'
import { test } from 'node:test'
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
