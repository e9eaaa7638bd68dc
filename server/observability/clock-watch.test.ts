import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClockWatch } from './clock-watch.ts'

test('reports a clock that was set back, once, and neither a correction nor a machine that slept', () => {
  let [now, steady] = [1_000_000_000, 0]
  const setBack = openClockWatch({ now: () => now, steady: () => steady })
  const pass = (ms: number, clockMs = ms): number => {
    now += clockMs
    steady += ms
    return setBack()
  }
  assert.equal(pass(10_000), 0)
  assert.equal(pass(10_000, 9_500), 0)
  assert.equal(pass(10_000, 10_000 - 3_600_000), 3_600_000)
  assert.equal(pass(10_000), 0)
  assert.equal(pass(10_000, 8 * 3_600_000), 0)
})
