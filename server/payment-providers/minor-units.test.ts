import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromMinorUnits, toMinorUnits } from './minor-units.ts'

describe('minor units', () => {
  it('convert exactly both ways with two, no and three decimals', () => {
    for (const [amount, currency, units] of [
      ['250.00', 'USD', '25000'],
      ['0.07', 'EUR', '7'],
      ['25000', 'JPY', '25000'],
      ['1.005', 'KWD', '1005'],
      // Floating point yields 113999.
      ['1139.99', 'USD', '113999'],
      ['90071992547409.93', 'USD', '9007199254740993'],
    ] as const) {
      assert.equal(toMinorUnits(amount, currency), units)
      if (units.length <= 15) assert.equal(fromMinorUnits(units, currency), amount)
    }
    assert.equal(toMinorUnits('25', 'USD'), '2500')
    assert.equal(toMinorUnits('25.5', 'USD'), '2550')
    assert.equal(toMinorUnits('25.5000', 'USD'), '2550')
    assert.equal(toMinorUnits('25.00', 'JPY'), '25')
  })

  it('refuse anything but a whole number', () => {
    for (const amount of ['0.001', '1e3', '-1', '', '1,5', '1.2.3x']) assert.equal(toMinorUnits(amount, 'USD'), null)
    assert.equal(toMinorUnits('25.5', 'JPY'), null)
    for (const units of ['', '1.5', '-1', '1e3', '١', '1'.repeat(16)]) assert.equal(fromMinorUnits(units, 'USD'), null)
  })
})
