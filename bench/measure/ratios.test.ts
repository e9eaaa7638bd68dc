import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRatios, readBands } from './ratios.ts'

const bands = [{ name: 'a / b', ratio: 1, low: 0.8, high: 1.2 }]
const isInside = (name: string, ratio: number) => judgeRatios([{ name, ratio }], bands)[0]?.isInside

test('fails a ratio above or below its band, without a band, and one that is not a number', () => {
  assert.deepEqual(
    [0.79, 0.8, 1, 1.2, 1.21, Number.POSITIVE_INFINITY, Number.NaN].map((ratio) => isInside('a / b', ratio)),
    [false, true, true, true, false, false, false],
  )
  assert.equal(isInside('c / d', 1), false)
  assert.match(judgeRatios([{ name: 'a / b', ratio: 2 }], bands)[0]?.line ?? '', /a \/ b.*2\.000.*OUTSIDE/)
})

test('each ratio has one band, which contains it', () => {
  const stored = readBands()
  assert.deepEqual(
    stored.filter(({ ratio, low, high }) => !(low > 0 && low < ratio && ratio < high)),
    [],
  )
  assert.equal(new Set(stored.map(({ name }) => name)).size, stored.length)
})
