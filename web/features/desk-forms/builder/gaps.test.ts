// spec: DK forms
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { distanceTo, type Gap, gapId, gapTowards, placeOfGap } from './gaps.ts'

/**
 * r0 ------------------
 * c0 | field | c1 | field | c2
 * r1 ------------------
 * d0 | field | d1
 * r2 ------------------
 */
const wide = (id: string, top: number): Gap => ({ id, left: 0, top, width: 400, height: 8 })
const thin = (id: string, left: number, top: number): Gap => ({ id, left, top, width: 8, height: 60 })
const gaps = [
  wide('r0', 0),
  ...[thin('c0', 0, 8), thin('c1', 200, 8), thin('c2', 392, 8)],
  wide('r1', 68),
  ...[thin('d0', 0, 76), thin('d1', 392, 76)],
  wide('r2', 136),
]

describe('an arrow key', () => {
  for (const [direction, from, wanted] of [
    ['down', { left: 0, top: 0 }, 'c0'],
    ['down', { left: 0, top: 8 }, 'r1'],
    ['down', { left: 392, top: 68 }, 'd1'],
    ['down', { left: 0, top: 136 }, undefined],
    ['up', { left: 0, top: 76 }, 'r1'],
    ['up', { left: 200, top: 68 }, 'c1'],
    ['up', { left: 0, top: 0 }, undefined],
    ['right', { left: 0, top: 8 }, 'c1'],
    ['right', { left: 200, top: 8 }, 'c2'],
    ['right', { left: 392, top: 8 }, undefined],
    ['left', { left: 392, top: 76 }, 'd0'],
    ['left', { left: 200, top: 8 }, 'c0'],
  ] as const)
    it(`moves ${direction} from ${from.left}, ${from.top} to ${wanted}`, () =>
      assert.equal(gapTowards(direction, from, gaps)?.id, wanted))

  it('reaches every gap from every other', () => {
    const reached = new Set(['r0'])
    const waiting = ['r0']
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const from = gaps.find((gap) => gap.id === id)
      assert.ok(from)
      for (const direction of ['up', 'down', 'left', 'right'] as const) {
        const next = gapTowards(direction, from, gaps)
        if (!next || reached.has(next.id)) continue
        reached.add(next.id)
        waiting.push(next.id)
      }
    }
    assert.equal(reached.size, gaps.length)
  })
})

it('measures the distance from a point to the nearest edge of a gap', () => {
  const gap = wide('r0', 100)
  assert.equal(distanceTo(gap, { left: 50, top: 104 }), 0)
  assert.equal(distanceTo(gap, { left: 50, top: 90 }), 10)
  assert.equal(distanceTo(gap, { left: 403, top: 112 }), 5)
})

it('encodes the position in the gap id', () => {
  for (const place of [
    { stepId: 'one', row: 0, column: null },
    { stepId: 'a:b:c', row: 12, column: 3 },
  ])
    assert.deepEqual(placeOfGap(gapId(place)), place)
  for (const nonsense of ['', 'one', '1:2', 'x:-:one', 'palette:text']) assert.equal(placeOfGap(nonsense), null)
})
