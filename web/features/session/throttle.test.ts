// spec: AO 7, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createThrottle } from './throttle.ts'

const passed = (moments: number[], isDue = createThrottle(10_000)) => moments.filter((moment) => isDue(moment))

describe('what is told at most once per interval', () => {
  it('is told at once', () => assert.deepEqual(passed([0]), [0]))
  it('is told again after the whole interval', () =>
    assert.deepEqual(passed([5, 6, 10_004, 10_005, 10_006, 20_004, 20_005]), [5, 10_005, 20_005]))
  it('counts from what was told, not from what was held back', () =>
    assert.deepEqual(passed(Array.from({ length: 301 }, (_, at) => at * 100)), [0, 10_000, 20_000, 30_000]))
  it('is told after a long silence', () => assert.deepEqual(passed([0, 86_400_000, 86_400_001]), [0, 86_400_000]))
  it('keeps one interval apart from another', () => {
    const first = createThrottle(10_000)
    assert.deepEqual([first(0), createThrottle(10_000)(1), first(2)], [true, true, false])
  })
})
