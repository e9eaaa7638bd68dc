// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../limits.ts'
import { validateBic, validateIban } from './bank.ts'
import { validateCardNumber, validateCvv } from './cards.ts'
import { validateDate } from './dates.ts'
import { isBlank, validatorTexts } from './messages.ts'
import { validateDecimal, validateFormula } from './numbers.ts'
import { validatePhone } from './phone.ts'
import { validateCount, validateRequired, validateRequiredIf, validateUnique } from './presence.ts'
import { validateDomain, validateEmail, validateLink, validateUrl } from './reach.ts'
import { strengthMin, validateStrength } from './strength.ts'

/** Each validator's message, literally: the other tables compare only with `validatorTexts`. */
const said: [name: string, complaint: string | null | undefined, sentence: string][] = [
  ['phone', validatePhone('call me'), 'Incorrect phone number'],
  ['phone of four digits', validatePhone('1234'), 'Phone must be at least 5 numbers long'],
  ['formula', validateFormula('1 +'), 'Formula is incorrect'],
  ['duplicate', validateUnique('a', ['A'], { isCaseSensitive: false }), 'Value is duplicated.'],
  ['duplicate by case', validateUnique('a', ['a'], { isCaseSensitive: true }), 'Value is duplicated.'],
  ['link', validateLink('javascript:alert(1)'), 'Invalid link'],
  ['decimal', validateDecimal('1,5'), 'Invalid number'],
  ['URL', validateUrl('example.com'), 'Invalid URL'],
  ['required', validateRequired(' '), 'This is a required field'],
  ['required if another is filled', validateRequiredIf('', 'x'), 'This is a required Field'],
  ['IBAN', validateIban('DE00 3704 0044 0532 0130 00'), 'Invalid IBAN number'],
  ['SWIFT', validateBic('DEUT'), 'Invalid SWIFT / BIC'],
  ['count of several', validateCount(0, { min: 1, max: 3 })?.text, 'Please choose between {{min}} and {{max}} item(s)'],
  ['count, exactly', validateCount(1, { min: 2, max: 2 })?.text, 'Choose exactly {{min}}'],
  ['count, too few', validateCount(0, { min: 1 })?.text, 'Please choose at least {{min}} item(s)'],
  ['count, too many', validateCount(4, { max: 3 })?.text, 'Please choose a maximum of {{max}} item(s)'],
  ['email', validateEmail('a@b'), 'You have not given a correct e-mail address'],
  ['domain', validateDomain('example'), 'Incorrect domain value'],
  ['date', validateDate('31.01.2026'), 'You have not given a correct date'],
  ['card number', validateCardNumber('4111 1111 1111 1112'), 'The credit card number is not correct'],
  ['CVV', validateCvv('12'), 'The CVV number was not correct'],
  ['password strength', validateStrength('Harbor1'), "The password isn't strong enough"],
]

describe('messages of the shared validators', () => {
  for (const [name, complaint, sentence] of said)
    it(`say the sentence of the specification: ${name}`, () => assert.equal(complaint, sentence))

  it('cover every message', () => {
    assert.deepEqual(new Set(said.map(([, , sentence]) => sentence)), new Set<string>(Object.values(validatorTexts)))
  })

  it('use the numbers of the specification', () => {
    assert.deepEqual([limits.domainCharsMax, limits.phoneDigitsMin, strengthMin], [253, 5, 2])
  })
})

it('treats only empty values as blank', () => {
  for (const value of [undefined, null, '', ' \t', []]) assert.equal(isBlank(value), true)
  for (const value of ['0', 0, false, ['']]) assert.equal(isBlank(value), false)
})
