// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { phonesInput } from '../members/calls.ts'
import { profileTexts } from '../members/texts.ts'
import { validatorTexts } from './messages.ts'
import { phoneTexts, readPhone, shownPhone, validatePhone } from './phone.ts'
import { phoneCountries, withCallingCode } from './phone-countries.ts'

type Spelling = [text: string, number: string, country?: string]
const spellings: Spelling[] = [
  ['+356 2122 4455', '+35621224455'],
  ['\u202d+356\u00a02122\u00a04455\u202c', '+35621224455'],
  ['＋３５６ ２１２２ ４４５５', '+35621224455'],
  ['+٣٥٦ ٢١٢٢ ٤٤٥٥', '+35621224455'],
  ['+۳۵۶۲۱۲۲۴۴۵۵', '+35621224455'],
  ['+33.1.23.45.67.89', '+33123456789'],
  ['+49 (0)30/90 18 20', '+4930901820'],
  ['+44\u201320\u20137946\u20130958', '+442079460958'],
  ['(+44) 20-7946 0000', '+442079460000'],
  ['0044 20 7946 0958', '+442079460958'],
  ['0044 20 7946 0958', '+442079460958', 'US'],
  ['011 44 20 7946 0958', '+442079460958', 'US'],
  ['tel:+356-2122-4455', '+35621224455'],
  ['020 7946 0958', '+442079460958', 'GB'],
  ['(020)\t7946-0958', '+442079460958', 'GB'],
  ['+4930901820', '+4930901820', 'FR'],
  ['+383 44 123 456', '+38344123456'],
  // Antarctica has no numbering plan.
  ['+356 2122 4455', '+35621224455', 'AQ'],
  // No network uses this range: validation covers only the format.
  ['+1 (555) 010-0199', '+15550100199'],
]
const refusals: [text: string, problem: string, country?: string][] = [
  ...['1234', '+1', '()', '1 2 3 4', '.'].map((text): [string, string] => [text, validatorTexts.phoneShort]),
  ...['call me', '1234a', '12345+', '++12345', '12345\u0000', '<b>12345</b>', '+1234567890123456', '1-800-FLOWERS'].map(
    (text): [string, string] => [text, validatorTexts.phone],
  ),
  ...['+356 2122 4455 ext. 12', '+356 2122 4455x12', '+356 2122 4455;ext=12', '+35621224455#12'].map(
    (text): [string, string] => [text, phoneTexts.extension],
  ),
  ['020 7946 0958', phoneTexts.countryMissing],
  ['12345', phoneTexts.countryMissing],
  ['+999 12345678', phoneTexts.codeUnknown],
  ['12345', phoneTexts.lengthWrong.replace('{{country}}', 'Malta'), 'MT'],
  ['+356 2122 44', phoneTexts.lengthWrong.replace('{{country}}', 'Malta')],
]

describe('a phone number in the usual notations', () => {
  for (const [text, number, country] of spellings)
    it(`reads ${JSON.stringify(text)}${country ? ` in ${country}` : ''}`, () => {
      const read = readPhone(text, country)
      assert.equal('number' in read && read.number, number)
      assert.equal(validatePhone(text, country), null)
      assert.equal(validatePhone(number), null)
    })
  for (const [text, problem, country] of refusals)
    it(`rejects ${JSON.stringify(text)}${country ? ` in ${country}` : ''} and says why`, () =>
      assert.deepEqual(readPhone(text, country), { problem }))

  it('accepts an empty value', () => {
    for (const empty of ['', '  ', '\u200e']) assert.equal(validatePhone(empty), null)
  })

  it('takes the calling code of the selected country', () => {
    const countries = phoneCountries()
    assert.ok(countries.length > 230)
    for (const [text, code, expected] of [
      ['', 'XK', '+383 '],
      ['+356', 'GB', '+44 '],
      ['020 7946 0958', 'GB', '+44 20 7946 0958'],
      ['+35621224455', 'GB', '+44 21224455'],
      ['+44 20', 'MT', '+356 20'],
    ] as const) {
      const country = countries.find((one) => one.code === code) ?? assert.fail(code)
      assert.equal(withCallingCode(text, country), expected)
    }
  })

  it('is stored in E.164, so that duplicates are found in any notation', () => {
    assert.deepEqual(['+35621224455', '+819087654321', 'call me', '020 7946'].map(shownPhone), [
      '+356 2122 4455',
      '+81 90 8765 4321',
      'call me',
      '020 7946',
    ])
    assert.deepEqual(phonesInput.parse(['+33.1.23.45.67.89', '\u202d+356 2122 4455\u202c']), [
      '+33123456789',
      '+35621224455',
    ])
    const { error } = phonesInput.safeParse(['+356 2122 4455', '＋35621224455'])
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path, message]),
      [[[1], profileTexts.phoneTwice]],
    )
  })

  it('rejects a megabyte of text', () => {
    for (const char of ['a', '.', '-', '/', '(', '１', '\u0000', ' 1'])
      assert.notEqual(validatePhone(`1${char.repeat(500_000)}!`), null)
  })
})
