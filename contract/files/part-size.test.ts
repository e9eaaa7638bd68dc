import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstPartBytes, makePartSizer, nextPartBytes, partBytesMax, partBytesMin } from './part-size.ts'

describe('the size of the next part', () => {
  it('equals what the line carries in two seconds', () => {
    assert.equal(nextPartBytes({ sizeBytes: 1_000_000, tookMs: 1_000 }), 2_000_000)
    assert.equal(nextPartBytes({ sizeBytes: 1_000_000, tookMs: 2_000 }), 1_000_000)
    assert.equal(nextPartBytes({ sizeBytes: 3_000_000, tookMs: 4_000 }), 1_500_000)
  })

  it('changes by a factor of four at most, however fast or slow one part was', () => {
    for (const tookMs of [0, 1, 499]) assert.equal(nextPartBytes({ sizeBytes: 1_000_000, tookMs }), 4_000_000)
    assert.equal(nextPartBytes({ sizeBytes: 8_000_000, tookMs: 300_000 }), 2_000_000)
  })

  it('stays within its bounds', () => {
    assert.equal(nextPartBytes({ sizeBytes: partBytesMax, tookMs: 10 }), partBytesMax)
    assert.equal(nextPartBytes({ sizeBytes: partBytesMin, tookMs: 60_000 }), partBytesMin)
    assert.equal(nextPartBytes({ sizeBytes: partBytesMin, tookMs: null }), partBytesMin)
    // An interrupted line may have delivered some bytes only.
    assert.equal(nextPartBytes({ sizeBytes: 1, tookMs: 60_000 }), partBytesMin)
  })

  it('is a quarter after a failure', () => {
    assert.equal(nextPartBytes({ sizeBytes: 16_000_000, tookMs: null }), 4_000_000)
  })

  it('is a whole number of bytes', () => {
    for (const tookMs of [700, 1_234.5, 3_333])
      assert.ok(Number.isInteger(nextPartBytes({ sizeBytes: 777_777, tookMs })))
  })
})

describe('the part sizer', () => {
  let nowMs = 0
  const makeSizer = () => makePartSizer(() => nowMs)
  type PartSizer = ReturnType<typeof makeSizer>
  function arrives(sizer: PartSizer, sizeBytes: number, tookMs: number): number {
    sizer.partSent()
    nowMs += tookMs
    return sizer.partArrived(sizeBytes)
  }
  function fails(sizer: PartSizer): number {
    sizer.partSent()
    nowMs += 90_000
    return sizer.partFailed()
  }

  it('sends 20 MB over a fast line in three parts', () => {
    const sizer = makeSizer()
    const second = arrives(sizer, firstPartBytes, 20)
    const third = arrives(sizer, second, 60)
    assert.deepEqual([firstPartBytes, second, third], [1_000_000, 4_000_000, 16_000_000])
  })

  it('reaches the smallest parts on a slow line, and large ones again when the line recovers', () => {
    const sizer = makeSizer()
    let sizeBytes = arrives(sizer, firstPartBytes, 50_000)
    assert.equal(sizeBytes, partBytesMin)
    assert.equal(arrives(sizer, sizeBytes, 12_500), partBytesMin)
    for (const grown of [1_000_000, 4_000_000]) {
      sizeBytes = arrives(sizer, sizeBytes, 100)
      assert.equal(sizeBytes, grown)
    }
  })

  it('counts a failure once: a query for the offset that fails too does not shrink the part again', () => {
    const sizer = makeSizer()
    const sizeBytes = arrives(sizer, arrives(sizer, firstPartBytes, 20), 60)
    assert.equal(sizeBytes, partBytesMax)
    assert.equal(fails(sizer), 4_000_000)
    assert.equal(sizer.partFailed(), 4_000_000)
    assert.equal(fails(sizer), 1_000_000)
  })

  it('stays below a size that a proxy refuses', () => {
    const sizer = makeSizer()
    assert.equal(arrives(sizer, firstPartBytes, 20), 4_000_000)
    sizer.partSent()
    assert.equal(sizer.partTooLarge(), 1_000_000)
    assert.equal(arrives(sizer, 1_000_000, 20), 1_000_000)
    assert.equal(sizer.partTooLarge(), null, 'no part was sent')
    sizer.partSent()
    assert.equal(sizer.partTooLarge(), partBytesMin)
    sizer.partSent()
    assert.equal(sizer.partTooLarge(), null, 'the smallest is too large')
  })

  it('measures the last part by the bytes that it had', () => {
    const sizer = makeSizer()
    assert.equal(arrives(sizer, 10, 4_000), partBytesMin)
    assert.equal(arrives(makeSizer(), 600_000, 1_000), 1_200_000)
  })

  it('begins small again when the user resumes, since the line may be another one', () => {
    const before = makeSizer()
    arrives(before, firstPartBytes, 20)
    assert.equal(fails(before), 1_000_000)
    assert.equal(fails(makeSizer()), partBytesMin)
  })
})
