import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeMark, timeMarks } from './time-marks.ts'

const at = Date.UTC(2026, 10, 21, 14, 5)
const dayMs = 86_400_000

for (const [days, mark] of [
  [1, '02:05 PM'],
  [30, 'Nov 21'],
  [366, 'Nov 21'],
  [900, 'Nov 2026'],
] as const) {
  test(`labels a moment as ${mark} in a range of ${days} days`, () => {
    assert.equal(timeMark(at, days * dayMs, 'en-US', 'UTC').replace(/\s/u, ' '), mark)
  })
}

test('spaces labels evenly within the range', () => {
  assert.deepEqual(timeMarks(0, 100), [10, 30, 50, 70, 90])
  assert.deepEqual(timeMarks(7, 7), [7, 7, 7, 7, 7])
})
