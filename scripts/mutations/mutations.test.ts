import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { mutations } from './every-mutation.ts'

const root = dirname(dirname(import.meta.dirname))

// A full run takes hours and is rare; this test finds outdated mutations early.
test('every mutation matches exactly one place and names existing tests', () => {
  assert.ok(mutations.length > 100)
  const lost = mutations.flatMap(({ name, file, find, tests }) => {
    const places = readFileSync(join(root, file), 'utf8').split(find).length - 1
    const missing = tests.filter((each) => !existsSync(join(root, each)))
    return places === 1 && missing.length === 0 ? [] : [{ name, places, missing }]
  })
  assert.deepEqual(lost, [])
})
