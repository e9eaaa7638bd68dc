import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { mutations } from './every-mutation.ts'

const root = dirname(dirname(import.meta.dirname))

// Running them takes hours and is done now and then; a mutation whose place has moved fails here at once.
test('every mutation has its one place, and tests that are there', () => {
  assert.ok(mutations.length > 100)
  const lost = mutations.flatMap(({ name, file, find, tests }) => {
    const places = readFileSync(join(root, file), 'utf8').split(find).length - 1
    const missing = tests.filter((each) => !existsSync(join(root, each)))
    return places === 1 && missing.length === 0 ? [] : [{ name, places, missing }]
  })
  assert.deepEqual(lost, [])
})
