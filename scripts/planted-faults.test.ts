import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { plantedFaults } from './planted-faults/every-fault.ts'

const root = dirname(import.meta.dirname)

// Planting them takes hours and is done now and then; a fault whose place has moved on is told of at once.
test('every planted fault has its one place, and tests that are there', () => {
  assert.ok(plantedFaults.length > 100)
  const lost = plantedFaults.flatMap(({ name, file, find, tests }) => {
    const places = readFileSync(join(root, file), 'utf8').split(find).length - 1
    const missing = tests.filter((each) => !existsSync(join(root, each)))
    return places === 1 && missing.length === 0 ? [] : [{ name, places, missing }]
  })
  assert.deepEqual(lost, [])
})
