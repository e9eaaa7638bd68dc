// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAmount } from '@atrium/contract/money/money.ts'
import { amountShape } from '@atrium/contract/money/typed-number.ts'
import { validateDecimal } from '@atrium/contract/validators/numbers.ts'
import { fieldText, readFormValue, zeroText } from './amount-text.ts'

const formValueOf = (text: string, language = 'en') => readFormValue(text, amountShape('USD', language))

describe('the form value of a typed amount', () => {
  it('is the parsed decimal, or empty', () => {
    assert.equal(formValueOf('100,50'), '100.50')
    assert.equal(formValueOf('1.000,00', 'de'), '1000.00')
    assert.equal(formValueOf('  '), '')
  })

  for (const [text, language] of [
    ['1.000', 'en'],
    ['1,000', 'de'],
    ['1200.005', 'en'],
    ['1e3', 'en'],
    ['5?', 'en'],
  ] as const)
    it(`is invalid and keeps the text for ${text} in ${language}`, () => {
      const value = formValueOf(text, language)
      assert.deepEqual(readAmount(value, 'USD'), { problem: 'malformed' })
      assert.notEqual(validateDecimal(value), null)
      assert.equal(fieldText(value, language), text)
    })

  it('is shown in the reader’s number format without digit grouping', () => {
    assert.equal(fieldText('1234.50', 'de'), '1234,50')
    assert.equal(fieldText('1.234', 'de'), '1,234')
    assert.equal(fieldText('100', 'fr'), '100')
    assert.equal(fieldText('-0.5', 'en'), '-0.5')
  })
})

it('an empty field shows the decimals of its currency in the reader\u2019s format', () => {
  assert.deepEqual(
    [
      ['USD', 'en'],
      ['EUR', 'de'],
      ['JPY', 'ja'],
      ['BHD', 'en'],
      ['BTC', 'en'],
      ['ETH', 'en'],
      [null, 'de'],
    ].map(([currency, language]) => zeroText(currency ?? null, `${language}`)),
    ['0.00', '0,00', '0', '0.000', '0.00000000', '0.00000000', '0,00'],
  )
})
