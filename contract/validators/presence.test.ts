// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { validatorTexts } from './messages.ts'
import { validateCount, validateRequired, validateRequiredIf, validateUnique } from './presence.ts'

const empty = ['', '  ', '\n\t', '\u00a0', null, undefined, []]
const filled = ['x', ' x ', '0', '\u0000', 0, false, ['x'], {}]

describe('a required field', () => {
  it('rejects a blank value', () => {
    for (const value of empty) assert.equal(validateRequired(value), validatorTexts.required)
    for (const value of filled) assert.equal(validateRequired(value), null)
  })

  it('is required once the other field is filled', () => {
    for (const value of empty) {
      assert.equal(validateRequiredIf(value, 'x'), validatorTexts.requiredIf)
      for (const other of empty) assert.equal(validateRequiredIf(value, other), null)
    }
    for (const value of filled) assert.equal(validateRequiredIf(value, 'x'), null)
  })
})

describe('a value that must be unique', () => {
  const strict = { isCaseSensitive: true }
  const loose = { isCaseSensitive: false }
  it('is compared with or without regard to case', () => {
    assert.equal(validateUnique('Abc', ['abc', 'Abc'], strict), validatorTexts.duplicate)
    assert.equal(validateUnique('Abc', ['abc', 'ABC'], strict), null)
    assert.equal(validateUnique('Abc', ['aBC'], loose), validatorTexts.duplicate)
    assert.equal(validateUnique('Abc', [], loose), null)
  })
  it('is compared after Unicode normalization and trimming', () => {
    for (const rule of [strict, loose]) assert.equal(validateUnique(' e\u0301', ['é'], rule), validatorTexts.duplicate)
    assert.equal(validateUnique('straße', ['STRASSE'], loose), validatorTexts.duplicate)
    assert.equal(validateUnique('ΟΔΟΣ', ['οδος'], loose), validatorTexts.duplicate)
  })
  it('accepts several empty values', () => assert.equal(validateUnique(' ', ['', ' '], loose), null))
})

describe('the number of selected choices', () => {
  it('accepts a number within the range', () => {
    assert.equal(validateCount(2, { min: 1, max: 3 }), null)
    assert.equal(validateCount(0, {}), null)
    assert.equal(validateCount(9, { min: 1 }), null)
  })
  it('names the range in the message otherwise', () => {
    const text = (count: number, range: { min?: number; max?: number }) => validateCount(count, range)?.text
    assert.equal(text(1, { min: 2, max: 2 }), validatorTexts.chosenExactly)
    assert.equal(text(0, { min: 1, max: 3 }), validatorTexts.chosenBetween)
    assert.equal(text(4, { min: 1, max: 3 }), validatorTexts.chosenBetween)
    assert.equal(text(0, { min: 1 }), validatorTexts.chosenTooFew)
    assert.equal(text(4, { max: 3 }), validatorTexts.chosenTooMany)
    assert.deepEqual(validateCount(4, { min: 1, max: 3 })?.values, { min: 1, max: 3 })
  })
})
