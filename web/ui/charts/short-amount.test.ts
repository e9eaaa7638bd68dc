import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisMark, placeOf, shortAmount } from './short-amount.ts'

for (const [figure, short] of [
  ['0.00', '0'],
  ['12.00', '12'],
  ['950.40', '950.4'],
  ['1250.00', '1.3K'],
  ['12500', '12.5K'],
  ['-2000000.00', '-2M'],
  ['99999999999999999999.99', '100,000,000T'],
  ['0.00000001', '0'],
] as const) {
  test(`abbreviates ${figure} to ${short}`, () => {
    assert.equal(shortAmount(figure, 'en'), short)
  })
}

test('abbreviates axis labels the same way', () => {
  assert.equal(axisMark(20_000), '20K')
})

test('orders positions of figures of very different size', () => {
  const figures = ['-5.00', '0.00', '0.01', '12.34', '99999999999999999999.99']
  const places = figures.map(placeOf)
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
})
