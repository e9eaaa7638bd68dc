import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cutOf, middleOf, moveView, zoomMax } from './crop.ts'

const wide = { width: 400, height: 200 }

describe('the crop square', () => {
  it('starts centred, as large as fits', () => {
    assert.deepEqual(cutOf(wide, middleOf(wide)), { left: 100, top: 0, side: 200 })
    assert.deepEqual(cutOf({ width: 1, height: 9 }, middleOf({ width: 1, height: 9 })), { left: 0, top: 4, side: 1 })
  })

  it('stops at the edges and reverses without delay', () => {
    const edge = moveView(wide, middleOf(wide), { x: 10_000, y: -10_000 })
    assert.deepEqual(cutOf(wide, edge), { left: 200, top: 0, side: 200 })
    assert.deepEqual(cutOf(wide, moveView(wide, edge, { x: -50 })), { left: 150, top: 0, side: 200 })
  })

  it('zooms within the allowed range', () => {
    const near = moveView(wide, middleOf(wide), { zoom: 2 })
    assert.deepEqual(cutOf(wide, near), { left: 150, top: 50, side: 100 })
    assert.equal(moveView(wide, near, { zoom: 1_000 }).zoom, zoomMax)
    assert.deepEqual(cutOf(wide, moveView(wide, near, { zoom: 0.001 })), { left: 100, top: 0, side: 200 })
  })
})
