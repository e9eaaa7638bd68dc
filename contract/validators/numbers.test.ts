// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { validatorTexts } from './messages.ts'
import { validateDecimal, validateFormula } from './numbers.ts'

describe('the check of a decimal', () => {
  for (const good of ['', '0', '-1', '12.50', '-0.000000000000000001', '99999999999999999999'])
    it(`accepts ${JSON.stringify(good)}`, () => assert.equal(validateDecimal(good), null))
  for (const bad of [
    '1,5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '+1',
    '.5',
    '5.',
    '--1',
    '1.2.3',
    '١',
    '１',
    '1\u0000',
    '−1',
    'abc',
    '1 2',
  ])
    it(`rejects ${JSON.stringify(bad)}`, () => assert.equal(validateDecimal(bad), validatorTexts.decimal))
})

describe('the check of a formula', () => {
  const deep = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`
  for (const good of [
    '',
    '1',
    'a + b',
    '-a',
    '2 * (x - 3.5) / {my field}'.replace('my field', 'my_field'),
    '--1',
    '((a))',
    'a%b^2',
    deep(32),
  ])
    it(`accepts ${JSON.stringify(good)}`, () => assert.equal(validateFormula(good), null))
  const bad = [
    '+',
    '1 +',
    '* 2',
    '1 2',
    'a b',
    '()',
    '(1',
    '1)',
    ')1(',
    'a()',
    '{a',
    'a}',
    '{}',
    '{a b}',
    '1..2',
    '1.',
    '.5',
    '1e3x',
    'a;b',
    'a=b',
    '__proto__.x',
    'alert("x")',
    '{constructor.prototype}',
    'é',
    deep(33),
    `1${'+1'.repeat(500)}`,
    '\u0000',
    '1 + \u202e2',
  ]
  for (const formula of bad)
    it(`rejects ${JSON.stringify(formula.slice(0, 40))}`, () =>
      assert.equal(validateFormula(formula), validatorTexts.formula))

  it('rejects a formula of a megabyte without parsing it', () => {
    for (const part of ['(', '-', '1', '{', 'a ', '+1'])
      assert.equal(validateFormula(part.repeat(500_000)), validatorTexts.formula)
  })
})
