import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextAmountText } from './amount-text.ts'

describe('an amount being typed', () => {
  for (const typed of ['', '2', '250', '250.', '250.5', '.5', '0.001'])
    it(`takes "${typed}"`, () => assert.equal(nextAmountText('9', typed), typed))
  for (const typed of ['-1', '1e9', '1,250', '1.250,00', '1.2.3', 'NaN', '١٢', '12 ', '+5', '£5'])
    it(`does not take "${typed}"`, () => assert.equal(nextAmountText('9', typed), '9'))

  for (const [typed, decimals] of [
    ['250.5', 2],
    ['250.', 2],
    ['0.00000001', 8],
    ['5000', 0],
  ] as const)
    it(`takes "${typed}" of a currency with ${decimals} decimals`, () =>
      assert.equal(nextAmountText('', typed, decimals), typed))
  for (const [typed, decimals] of [
    ['250.505', 2],
    ['5000.', 0],
    ['5000.5', 0],
  ] as const)
    it(`does not take "${typed}" of a currency with ${decimals} decimals`, () =>
      assert.equal(nextAmountText('', typed, decimals), ''))
  it('lets what came with another currency be corrected', () => {
    assert.equal(nextAmountText('250.55', '250.5', 0), '250.5')
    assert.equal(nextAmountText('250.5', '1250.5', 0), '1250.5')
    assert.equal(nextAmountText('250.5', '250.55', 0), '250.5')
  })
})
