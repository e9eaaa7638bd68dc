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
  test(`${figure} is ${short} in short`, () => {
    assert.equal(shortAmount(figure, 'en'), short)
  })
}

test('an axis is marked in the same way', () => {
  assert.equal(axisMark(20_000), '20K')
})

test('places keep the order of figures that are far apart', () => {
  const figures = ['-5.00', '0.00', '0.01', '12.34', '99999999999999999999.99']
  const places = figures.map(placeOf)
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
})
