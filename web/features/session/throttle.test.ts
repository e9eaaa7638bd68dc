// spec: AO 7, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createThrottle } from './throttle.ts'

const passed = (moments: number[], isDue = createThrottle(10_000)) => moments.filter((moment) => isDue(moment))

describe('a throttle', () => {
  it('passes the first event', () => assert.deepEqual(passed([0]), [0]))
  it('passes the next one after the whole interval', () =>
    assert.deepEqual(passed([5, 6, 10_004, 10_005, 10_006, 20_004, 20_005]), [5, 10_005, 20_005]))
  it('counts the interval from the last passed event, not from a held one', () =>
    assert.deepEqual(passed(Array.from({ length: 301 }, (_, at) => at * 100)), [0, 10_000, 20_000, 30_000]))
  it('passes an event after a long pause', () => assert.deepEqual(passed([0, 86_400_000, 86_400_001]), [0, 86_400_000]))
  it('counts each throttle separately', () => {
    const first = createThrottle(10_000)
    assert.deepEqual([first(0), createThrottle(10_000)(1), first(2)], [true, true, false])
  })
})
