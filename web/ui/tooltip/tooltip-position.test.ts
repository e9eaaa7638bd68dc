import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tooltipPosition } from './tooltip-position.ts'

const room = { width: 400, height: 300 }
const tip = { width: 80, height: 20 }
const at = (left: number, top: number) => ({ left, top, width: 40, height: 40 })

describe('the placement of a tooltip', () => {
  it('centres the tip above its anchor', () =>
    assert.deepEqual(tooltipPosition('above', at(200, 100), tip, room), { left: 180, top: 75 }))
  it('places the tip below its anchor at the upper edge', () =>
    assert.deepEqual(tooltipPosition('above', at(200, 10), tip, room), { left: 180, top: 55 }))
  it('stays inside the window', () => {
    assert.equal(tooltipPosition('above', at(0, 100), tip, room).left, 8)
    assert.equal(tooltipPosition('above', at(380, 100), tip, room).left, 312)
    assert.equal(tooltipPosition('right', at(10, 280), tip, room).top, 272)
  })
  it('places the tip beside its anchor, on the side that has room', () => {
    assert.deepEqual(tooltipPosition('right', at(10, 100), tip, room), { left: 55, top: 110 })
    assert.equal(tooltipPosition('right', at(350, 100), tip, room).left, 265)
    assert.equal(tooltipPosition('left', at(350, 100), tip, room).left, 265)
    assert.equal(tooltipPosition('left', at(10, 100), tip, room).left, 55)
  })
})
