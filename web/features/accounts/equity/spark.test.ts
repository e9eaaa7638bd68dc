import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sparkPath } from './spark.ts'

const frame = { from: 0, to: 100, width: 104, height: 24 }

describe('the sparkline of an account', () => {
  it('plots time from left to right and higher values higher', () => {
    const points = [
      { at: 0, equity: '100.00' },
      { at: 50, equity: '300.00' },
      { at: 100, equity: '200.00' },
    ]
    assert.equal(sparkPath(points, frame), 'M2.0 22.0L52.0 2.0L102.0 12.0')
  })

  it('centres a flat line, also below zero', () => {
    const flat = [
      { at: 0, equity: '-5.00' },
      { at: 100, equity: '-5.00' },
    ]
    assert.equal(sparkPath(flat, frame), 'M2.0 12.0L102.0 12.0')
  })

  it('is null with fewer than two points', () => {
    assert.equal(sparkPath([], frame), null)
    assert.equal(sparkPath([{ at: 3, equity: '1.00' }], frame), null)
  })
})
