// spec: AO 5, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brandNamed, type CardBrand, cardBrandOf, validateCardNumber, validateCvv } from './cards.ts'
import { validatorTexts } from './messages.ts'

/** Test numbers that the card schemes and their processors publish. */
const published: [CardBrand, string][] = [
  ['amex', '378282246310005'],
  ['amex', '371449635398431'],
  ['diners', '30569309025904'],
  ['diners', '38520000023237'],
  ['diners', '36227206271667'],
  ['discover', '6011111111111117'],
  ['discover', '6011000990139424'],
  ['jcb', '3530111333300000'],
  ['jcb', '3566002020360505'],
  ['mastercard', '5555555555554444'],
  ['mastercard', '5105105105105100'],
  ['mastercard', '2223003122003222'],
  ['maestro', '6759649826438453'],
  ['maestro', '6304000000000000'],
  ['visa', '4111111111111111'],
  ['visa', '4012888888881881'],
]

it('recognizes a brand in any spelling, and no other', () => {
  for (const [name, brand] of [
    ['Visa', 'visa'],
    ['MasterCard', 'mastercard'],
    ['American Express', 'amex'],
    ['DINERS_CLUB', 'diners'],
    ['', null],
    ['constructor', null],
    ['Tomorrow', null],
  ] as const)
    assert.equal(brandNamed(name), brand, name)
})

describe('a card number', () => {
  for (const [brand, number] of published)
    it(`is accepted for ${brand}: ${number}`, () => {
      assert.equal(cardBrandOf(number), brand)
      assert.equal(validateCardNumber(number), null)
      assert.equal(validateCardNumber(`${number.slice(0, 4)} ${number.slice(4, 10)}-${number.slice(10)}`), null)
      assert.equal(validateCardNumber(number, [brand]), null)
      assert.equal(validateCardNumber(number, []), validatorTexts.cardNumber)
    })

  it('fails the Luhn check with one changed digit', () => {
    for (const [, number] of published)
      for (let at = 0; at < number.length; at++) {
        const changed = number.slice(0, at) + ((Number(number.charAt(at)) + 1) % 10) + number.slice(at + 1)
        assert.equal(validateCardNumber(changed), validatorTexts.cardNumber, changed)
      }
  })

  // Each passes Luhn, but has a wrong length for its brand or an unsupported brand.
  for (const number of [
    '4222222222222',
    '4000000000000000006',
    '34000000000000',
    '3400000000000000',
    '5100000000000',
    '30000000000004000',
    '0000000000000000',
    '9999999999999995',
    '622126',
  ])
    it(`refuses ${number}`, () => assert.equal(validateCardNumber(number), validatorTexts.cardNumber))
  for (const text of [
    '4111 1111 1111 111a',
    '４１１１１１１１１１１１１１１１',
    '4111\u00001111',
    'x',
    '1'.repeat(500_000),
  ])
    it(`refuses ${JSON.stringify(text.slice(0, 30))}`, () =>
      assert.equal(validateCardNumber(text), validatorTexts.cardNumber))
  it('gives no error while it is empty', () => assert.equal(validateCardNumber(' '), null))
})

describe('the security code of a card', () => {
  it('has three digits, four on an American Express', () => {
    assert.equal(validateCvv('123', 'visa'), null)
    assert.equal(validateCvv('1234', 'amex'), null)
    assert.equal(validateCvv('1234', 'visa'), validatorTexts.cvv)
    assert.equal(validateCvv('123', 'amex'), validatorTexts.cvv)
    for (const either of ['123', '1234', '']) assert.equal(validateCvv(either), null)
    for (const bad of ['12', '12345', '12a', '١٢٣', '1.2', '1\u00002'])
      assert.equal(validateCvv(bad), validatorTexts.cvv)
  })
})
