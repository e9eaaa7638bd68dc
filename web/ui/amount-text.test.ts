import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextAmountText } from './amount-text.ts'

describe('an amount being typed', () => {
  for (const typed of ['', '2', '250', '250.', '250.5', '.5', '0.001'])
    it(`takes "${typed}"`, () => assert.equal(nextAmountText('9', typed), typed))
  for (const typed of ['-1', '1e9', '1,250', '1.250,00', '1.2.3', 'NaN', '١٢', '12 ', '+5', '£5'])
    it(`does not take "${typed}"`, () => assert.equal(nextAmountText('9', typed), '9'))
})
