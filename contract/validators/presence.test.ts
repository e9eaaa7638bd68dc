// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { validatorTexts } from './messages.ts'
import { complainOfCount, complainOfDuplicate, complainOfGap, complainOfGapBeside } from './presence.ts'

const empty = ['', '  ', '\n\t', '\u00a0', null, undefined, []]
const filled = ['x', ' x ', '0', '\u0000', 0, false, ['x'], {}]

describe('a required field', () => {
  it('rejects a blank value', () => {
    for (const value of empty) assert.equal(complainOfGap(value), validatorTexts.required)
    for (const value of filled) assert.equal(complainOfGap(value), null)
  })

  it('is required once the other field is filled', () => {
    for (const value of empty) {
      assert.equal(complainOfGapBeside(value, 'x'), validatorTexts.requiredIf)
      for (const other of empty) assert.equal(complainOfGapBeside(value, other), null)
    }
    for (const value of filled) assert.equal(complainOfGapBeside(value, 'x'), null)
  })
})

describe('a value that must be unique', () => {
  const strict = { isCaseSensitive: true }
  const loose = { isCaseSensitive: false }
  it('is compared with or without regard to case', () => {
    assert.equal(complainOfDuplicate('Abc', ['abc', 'Abc'], strict), validatorTexts.duplicate)
    assert.equal(complainOfDuplicate('Abc', ['abc', 'ABC'], strict), null)
    assert.equal(complainOfDuplicate('Abc', ['aBC'], loose), validatorTexts.duplicate)
    assert.equal(complainOfDuplicate('Abc', [], loose), null)
  })
  it('is compared after Unicode normalization and trimming', () => {
    for (const rule of [strict, loose])
      assert.equal(complainOfDuplicate(' e\u0301', ['é'], rule), validatorTexts.duplicate)
    assert.equal(complainOfDuplicate('straße', ['STRASSE'], loose), validatorTexts.duplicate)
    assert.equal(complainOfDuplicate('ΟΔΟΣ', ['οδος'], loose), validatorTexts.duplicate)
  })
  it('accepts several empty values', () => assert.equal(complainOfDuplicate(' ', ['', ' '], loose), null))
})

describe('the number of selected choices', () => {
  it('accepts a number within the range', () => {
    assert.equal(complainOfCount(2, { min: 1, max: 3 }), null)
    assert.equal(complainOfCount(0, {}), null)
    assert.equal(complainOfCount(9, { min: 1 }), null)
  })
  it('names the range in the message otherwise', () => {
    const text = (count: number, range: { min?: number; max?: number }) => complainOfCount(count, range)?.text
    assert.equal(text(1, { min: 2, max: 2 }), validatorTexts.chosenExactly)
    assert.equal(text(0, { min: 1, max: 3 }), validatorTexts.chosenBetween)
    assert.equal(text(4, { min: 1, max: 3 }), validatorTexts.chosenBetween)
    assert.equal(text(0, { min: 1 }), validatorTexts.chosenTooFew)
    assert.equal(text(4, { max: 3 }), validatorTexts.chosenTooMany)
    assert.deepEqual(complainOfCount(4, { min: 1, max: 3 })?.values, { min: 1, max: 3 })
  })
})
