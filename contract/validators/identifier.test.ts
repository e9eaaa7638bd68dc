import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resetCode } from '../sessions/calls.ts'
import { totpCode } from '../sessions/factors.ts'
import { normalizeBic, normalizeIban } from './bank.ts'
import { normalizeIdentifier, normalizeSearch } from './identifier.ts'
import { normalizeName } from './person-name.ts'
import { readPhone } from './phone.ts'

/** Characters that come with a number copied from a bank's page, a PDF, a chat or a contact list. */
const marks = [' ', '\t', '\n', '\u00a0', '\u2007', '\u202f', '\u3000', '\ufeff', '\u00ad', '\u061c', '\u180e']
  .concat([...'\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069'])
  .concat('\ufe0f')

const within = (text: string, mark: string) => `${mark}${text.slice(0, 4)}${mark}${text.slice(4)}${mark}`

describe('an identifier before its validation', () => {
  for (const mark of marks) {
    const name = `U+${mark.charCodeAt(0).toString(16).padStart(4, '0')}`
    it(`loses ${name}`, () => {
      assert.equal(normalizeIdentifier(within('700123', mark)), '700123')
      assert.equal(normalizeIban(within('de89370400440532013000', mark)), 'DE89370400440532013000')
      assert.equal(normalizeIban(`IBAN${mark}DE89370400440532013000`), 'DE89370400440532013000')
      assert.equal(normalizeBic(within('deutdeff', mark)), 'DEUTDEFF')
      assert.deepEqual(readPhone(within('+35621224455', mark)), { number: '+35621224455', country: 'MT' })
      assert.equal(totpCode.parse(within('123456', mark)), '123456')
      assert.equal(resetCode.parse(within('abcdefgh', mark)), 'abcdefgh')
      assert.equal(normalizeSearch(`${mark}T-70014${mark}`), 'T-70014')
    })
  }

  it('takes the code of an authenticator app in the digits of any keyboard', () => {
    for (const code of [
      '\u0661\u0662\u0663 \u0664\u0665\u0666',
      '\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6',
      '\uff11\uff12\uff13\uff14\uff15\uff16',
    ])
      assert.equal(totpCode.parse(code), '123456')
  })

  it('removes the labels that are printed before an IBAN and a BIC', () => {
    for (const text of ['IBAN: DE89 3704 0044 0532 0130 00', 'iban\u00a0DE89\u202f3704 0044 0532 0130 00'])
      assert.equal(normalizeIban(text), 'DE89370400440532013000')
    for (const text of ['BIC: DEUTDEFF', 'SWIFT DEUTDEFF', 'BIC/SWIFT: DEUT DE FF', 'Swift code: deutdeff'])
      assert.equal(normalizeBic(text), 'DEUTDEFF')
    assert.equal(normalizeBic('BICDDEFF'), 'BICDDEFF')
  })

  it('has one spelling of a letter with its marks, which some keyboards and files write apart', () => {
    for (const text of ['Nguyễn Thế Ánh', 'José', 'Åström', '김']) {
      const [composed, apart] = [text.normalize('NFC'), text.normalize('NFD')]
      // As the Vietnamese keyboard of Windows writes it: the vowel composed, the tone apart.
      const between = composed.replace('\u1ebf', '\u00ea\u0301')
      const divided = apart.replace(/(?=\p{M})/gu, '\u200b')
      for (const spelled of [composed, apart, between, divided])
        assert.deepEqual([normalizeSearch(spelled), normalizeName(spelled)], [composed, composed])
    }
  })

  it('keeps visible characters, joiners and the spaces between words', () => {
    assert.equal(normalizeIdentifier('12-34\u0000'), '12-34\u0000')
    assert.equal(normalizeSearch('mara\u00a0\u00a0hart'), 'mara hart')
    assert.equal(normalizeSearch('\u200dمی\u200cخواهم\u200b'), 'می\u200cخواهم')
  })
})

describe("a person's name", () => {
  for (const mark of marks.filter((mark) => !/\p{Cc}/u.test(mark)))
    it(`loses U+${mark.charCodeAt(0).toString(16).padStart(4, '0')}, or has one plain space there`, () => {
      assert.equal(normalizeName(`${mark}Mara ${mark}Hart${mark}`), 'Mara Hart')
      assert.equal(normalizeName(`Ma${mark}ra`), /\p{Z}/u.test(mark) ? 'Ma ra' : 'Mara')
    })

  it('keeps the joiners of Persian and Indic names, which change their look, and no others', () => {
    for (const name of ['علی\u200cرضا', 'ශ්\u200dරී', 'क्\u200dष']) assert.equal(normalizeName(`${name}\u202c`), name)
    assert.equal(normalizeName('Ма\u200dра'), 'Мара')
    assert.equal(normalizeName('علی\u200c رضا\u200d'), 'علی رضا')
  })

  it('keeps what makes the last letter of a Malayalam, Bengali or Mongolian word, and nothing like it elsewhere', () => {
    for (const word of ['അവന്\u200d', 'রঞ্জিত্\u200d', 'ᠣᠳᠣ\u180b', 'ᠬᠠᠨ\u180e\u1820'])
      for (const name of [word, `${word} ${word}`]) assert.equal(normalizeName(`${name}\u202c`), name)
    assert.equal(normalizeName('Mara\u180b \u180bHa\u180ert\u180f'), 'Mara Hart')
    assert.equal(normalizeName('ᠣᠳᠣ\u180e क\u200d'), 'ᠣᠳᠣ क')
  })
})
