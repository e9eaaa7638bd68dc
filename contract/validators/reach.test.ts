// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { type ValidationResult, validatorTexts } from './messages.ts'
import { asciiEmail, emailInput, emailKey, validateDomain, validateEmail, validateLink, validateUrl } from './reach.ts'

function table(
  name: string,
  validate: (value: string) => ValidationResult,
  text: string,
  good: string[],
  bad: string[],
): void {
  describe(name, () => {
    for (const value of ['', '  ', ...good])
      it(`accepts ${JSON.stringify(value.slice(0, 60))}`, () => assert.equal(validate(value), null))
    for (const value of bad)
      it(`rejects ${JSON.stringify(value.slice(0, 60))}`, () => assert.equal(validate(value), text))
  })
}

const label63 = 'a'.repeat(63)
const longDomain = (length: number) => `${`${'a'.repeat(49)}.`.repeat(10).slice(0, length - 4)}.com`

table(
  'a domain',
  validateDomain,
  validatorTexts.domain,
  [
    'example.com',
    'a.b',
    'EXAMPLE.co.uk',
    'xn--bcher-kva.example',
    'bücher.example',
    'пример.рф',
    `${label63}.com`,
    longDomain(253),
    '3com.net',
  ],
  [
    'example',
    '.com',
    'example.',
    'a..b',
    '-a.com',
    'a-.com',
    'a_b.com',
    `${label63}a.com`,
    longDomain(254),
    '127.0.0.1',
    'a.1',
    'a b.com',
    'a.com/',
    'a.com:80',
    'exa\u0000mple.com',
    'a@b.com',
    `${'ü'.repeat(63)}.com`,
  ],
)
table(
  'an e-mail address',
  validateEmail,
  validatorTexts.email,
  [
    'a@b.co',
    'first.last+tag@example.com',
    "o'neil@example.ie",
    'x@bücher.example',
    `${'a'.repeat(64)}@example.com`,
    '用户@例え.jp',
    'r&d@example.com',
    'a/b@example.com',
    'first=last@example.com',
    'anna@bücher.example',
    'user@xn--e1afmkfd.xn--p1ai',
    'संपर्क@डाटामेल.भारत',
    'ติดต่อ@example.com',
  ],
  [
    'a',
    '\u0301a@b.co',
    'a.\u0301b@',
    '@b.co',
    'a@',
    'a@b',
    'a b@c.de',
    'a..b@c.de',
    '.a@b.de',
    'a.@b.de',
    'a@b@c.de',
    '"a b"@c.de',
    `${'a'.repeat(65)}@b.de`,
    `a@${longDomain(253)}`,
    'a@b.de\nbcc:x@y.zz',
    'a@-b.de',
    '<a@b.de>',
    'a\u0000@b.de',
  ],
)
describe('an email address in a call', () => {
  const saysOf = (email: unknown, charsMax?: number) =>
    emailInput(charsMax)
      .safeParse(email)
      .error?.issues.map(({ message }) => message)

  it('is stored as typed, without invisible characters', () => {
    assert.equal(emailInput().parse(' \u202aR&D@Example.com\u202c\u200b'), 'R&D@Example.com')
    assert.equal(emailInput().parse('Anna@BÜCHER.example'), 'anna@bücher.example')
  })

  it('has one key for both spellings of its domain, and is sent with the ASCII one', () => {
    for (const email of ['anna@bücher.example', 'ANNA@xn--bcher-kva.example', 'anna@bu\u0308cher.example'])
      assert.equal(emailKey(email), 'anna@xn--bcher-kva.example')
    assert.equal(asciiEmail('Anna@bücher.example'), 'Anna@xn--bcher-kva.example')
    for (const none of ['no address', 'a@b.co/c', 'a@b.co:80', 'a@b']) assert.equal(asciiEmail(none), none)
  })

  it('is rejected with the actual reason', () => {
    const long = `${'a'.repeat(39)}@example.com`
    assert.deepEqual(saysOf(long, limits.loginEmailCharsMax), [texts.textTooLong.replace('{{count}}', '50')])
    assert.equal(saysOf(long), undefined)
    for (const wrong of ['', ' ', 'r&d@example', 'a b@c.de', null])
      assert.deepEqual(saysOf(wrong, limits.loginEmailCharsMax), [texts.emailInvalid])
  })
})
table(
  'a URL',
  validateUrl,
  validatorTexts.url,
  [
    'http://example.com',
    'https://example.com/a?b=c#d',
    'ftp://files.example.com/x',
    'https://bücher.example/',
    'https://192.0.2.1:8443/a',
    'https://[2001:db8::1]/',
  ],
  [
    'example.com',
    '//example.com',
    'https:example.com',
    'javascript:alert(1)',
    'JaVaScRiPt://example.com/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://',
    'https://a',
    'https://localhost',
    'https:///example.com',
    'https://user@example.com',
    'https://example.com@evil.example',
    'https://exa mple.com',
    'https:\\\\example.com',
    'https://example.com/\u0000',
    `https://example.com/${'a'.repeat(2_048)}`,
    'https://example.com/\ud800',
  ],
)
table(
  'a link',
  validateLink,
  validatorTexts.link,
  ['example.com', 'www.example.com/a?b#c', 'https://example.com', 'http://example.com:8080/', 'example.com:8080/x'],
  [
    'example',
    'ftp://example.com',
    'javascript:alert(1)',
    'vbscript:x',
    'mailto:a@b.de',
    '/path',
    '//example.com',
    'user@example.com',
    'data:text/html,x',
    'java\nscript:alert(1)',
    'example.com\\@evil.example',
    'http://localhost',
    'x y.com',
  ],
)

it('rejects a megabyte of text', () => {
  for (const char of ['a', '.', '-', '@', '/', '(', '%', '\u0000', '😀', ' a'])
    for (const validate of [validateDomain, validateEmail, validateUrl, validateLink])
      assert.notEqual(validate(`1${char.repeat(500_000)}!`), null)
})
