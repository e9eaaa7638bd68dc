// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../limits.ts'
import { complainOfBic, complainOfIban } from './bank.ts'
import { complainOfCardNumber, complainOfCvv } from './cards.ts'
import { complainOfDate } from './dates.ts'
import { isBlank, validatorTexts } from './messages.ts'
import { complainOfDecimal, complainOfFormula } from './numbers.ts'
import { complainOfPhone } from './phone.ts'
import { complainOfCount, complainOfDuplicate, complainOfGap, complainOfGapBeside } from './presence.ts'
import { complainOfDomain, complainOfEmail, complainOfLink, complainOfUrl } from './reach.ts'
import { complainOfStrength, strengthMin } from './strength.ts'

/** Each validator's message, literally: the other tables compare only with `validatorTexts`. */
const said: [name: string, complaint: string | null | undefined, sentence: string][] = [
  ['phone', complainOfPhone('call me'), 'Incorrect phone number'],
  ['phone of four digits', complainOfPhone('1234'), 'Phone must be at least 5 numbers long'],
  ['formula', complainOfFormula('1 +'), 'Formula is incorrect'],
  ['duplicate', complainOfDuplicate('a', ['A'], { isCaseSensitive: false }), 'Value is duplicated.'],
  ['duplicate by case', complainOfDuplicate('a', ['a'], { isCaseSensitive: true }), 'Value is duplicated.'],
  ['link', complainOfLink('javascript:alert(1)'), 'Invalid link'],
  ['decimal', complainOfDecimal('1,5'), 'Invalid number'],
  ['URL', complainOfUrl('example.com'), 'Invalid URL'],
  ['required', complainOfGap(' '), 'This is a required field'],
  ['required if another is filled', complainOfGapBeside('', 'x'), 'This is a required Field'],
  ['IBAN', complainOfIban('DE00 3704 0044 0532 0130 00'), 'Invalid IBAN number'],
  ['SWIFT', complainOfBic('DEUT'), 'Invalid SWIFT / BIC'],
  [
    'count of several',
    complainOfCount(0, { min: 1, max: 3 })?.text,
    'Please choose between {{min}} and {{max}} item(s)',
  ],
  ['count, exactly', complainOfCount(1, { min: 2, max: 2 })?.text, 'Choose exactly {{min}}'],
  ['count, too few', complainOfCount(0, { min: 1 })?.text, 'Please choose at least {{min}} item(s)'],
  ['count, too many', complainOfCount(4, { max: 3 })?.text, 'Please choose a maximum of {{max}} item(s)'],
  ['email', complainOfEmail('a@b'), 'You have not given a correct e-mail address'],
  ['domain', complainOfDomain('example'), 'Incorrect domain value'],
  ['date', complainOfDate('31.01.2026'), 'You have not given a correct date'],
  ['card number', complainOfCardNumber('4111 1111 1111 1112'), 'The credit card number is not correct'],
  ['CVV', complainOfCvv('12'), 'The CVV number was not correct'],
  ['password strength', complainOfStrength('Harbor1'), "The password isn't strong enough"],
]

describe('messages of the shared validators', () => {
  for (const [name, complaint, sentence] of said) it(name, () => assert.equal(complaint, sentence))

  it('covers every message', () => {
    assert.deepEqual(new Set(said.map(([, , sentence]) => sentence)), new Set<string>(Object.values(validatorTexts)))
  })

  it('uses the numbers of the specification', () => {
    assert.deepEqual([limits.domainCharsMax, limits.phoneDigitsMin, strengthMin], [253, 5, 2])
  })
})

it('treats only empty values as blank', () => {
  for (const value of [undefined, null, '', ' \t', []]) assert.equal(isBlank(value), true)
  for (const value of ['0', 0, false, ['']]) assert.equal(isBlank(value), false)
})
