import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sparkPath } from './spark.ts'

const frame = { from: 0, to: 100, width: 104, height: 24 }

describe('the small line beside an account', () => {
  it('goes from left to right in time, higher where there is more', () => {
    const points = [
      { at: 0, equity: '100.00' },
      { at: 50, equity: '300.00' },
      { at: 100, equity: '200.00' },
    ]
    assert.equal(sparkPath(points, frame), 'M2.0 22.0L52.0 2.0L102.0 12.0')
  })

  it('lies in the middle where nothing moved, below zero too', () => {
    const flat = [
      { at: 0, equity: '-5.00' },
      { at: 100, equity: '-5.00' },
    ]
    assert.equal(sparkPath(flat, frame), 'M2.0 12.0L102.0 12.0')
  })

  it('is none with less than two points', () => {
    assert.equal(sparkPath([], frame), null)
    assert.equal(sparkPath([{ at: 3, equity: '1.00' }], frame), null)
  })
})
