import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisMark, placeOf, shortAmount } from './short-amount.ts'

for (const [amount, short] of [
  ['0.00', '0'],
  ['12.00', '12'],
  ['950.40', '950.4'],
  ['1250.00', '1.3K'],
  ['12500', '12.5K'],
  ['-2000000.00', '-2M'],
  ['99999999999999999999.99', '100,000,000T'],
  ['0.00000001', '0'],
] as const) {
  test(`abbreviates ${amount} to ${short}`, () => {
    assert.equal(shortAmount(amount, 'en'), short)
  })
}

test('abbreviates axis labels the same way', () => {
  assert.equal(axisMark(20_000), '20K')
})

test('orders positions of amounts of very different size', () => {
  const amounts = ['-5.00', '0.00', '0.01', '12.34', '99999999999999999999.99']
  const places = amounts.map(placeOf)
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
})
