// spec: OP notifications
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { i18n, setLanguage } from './i18n.ts'

const said = (name: string): string => i18n.t('Approve 250.00 USD of {{name}}?', { name, other: 'X' })

describe('the page', () => {
  const page = { documentElement: { lang: '', dir: '' } }
  before(() => Object.assign(globalThis, { document: page }))
  after(() => Reflect.deleteProperty(globalThis, 'document'))

  it('declares the language of its texts, not the preferred one', async () => {
    i18n.changeLanguage('ar')
    assert.deepEqual(page.documentElement, { lang: 'ar', dir: 'rtl' })
    // There is no Arabic translation.
    await setLanguage('ar')
    assert.deepEqual(page.documentElement, { lang: 'en', dir: 'ltr' })
  })
})

describe('a sentence', () => {
  after(() => i18n.changeLanguage('en'))

  it('is translated, and falls back to English', () => {
    i18n.changeLanguage('de', { 'Sign in': 'Anmelden', 'Hello, {{name}}': 'Hallo {{name}}' })
    assert.equal(i18n.t('Sign in'), 'Anmelden')
    assert.equal(i18n.t('Hello, {{name}}', { name: 'Mara' }), 'Hallo Mara')
    assert.equal(i18n.t('constructor'), 'constructor')
    assert.equal(i18n.t('{{a}} of {{b}}', { a: 1 }), '1 of ')
  })

  it('has the plural form for its number', () => {
    i18n.changeLanguage('ru', { '{{count}} waiting': '{{count}} ждут', '{{count}} waiting_one': '{{count}} ждёт' })
    assert.equal(i18n.t('{{count}} waiting', { count: 1 }), '1 ждёт')
    assert.equal(i18n.t('{{count}} waiting', { count: 5 }), '5 ждут')
  })
})

describe('a value in a sentence', () => {
  for (const name of ['Mara Hart', '<b>&amp;</b>', '{{other}}', '$t(Approve)', "$& $1 $' $`", '__proto__', 'Ж 李 שלום'])
    it(`is inserted unchanged: ${name}`, () => assert.equal(said(name), `Approve 250.00 USD of ${name}?`))

  for (const [name, stored] of [
    ['\u202eevil', '\u2068\u202eevil\u2069'],
    ['a\u2069\u202eb', '\u2068a\u202eb\u2069'],
    ['\u2067open', '\u2068\u2067open\u2069\u2069'],
    ['\u2067shut\u2069', '\u2068\u2067shut\u2069\u2069'],
  ] as const)
    it(`cannot change the direction of the text around it: ${JSON.stringify(name)}`, () =>
      assert.equal(said(name), `Approve 250.00 USD of ${stored}?`))

  it('keeps its own order in a right-to-left sentence', () => {
    i18n.changeLanguage('ar', { 'Call {{phone}}': 'اتصل {{phone}}' })
    assert.equal(i18n.t('Call {{phone}}', { phone: '+356 2122 4455' }), 'اتصل \u2068+356 2122 4455\u2069')
    assert.equal(i18n.t('Call {{phone}}', { phone: '' }), 'اتصل ')
    i18n.changeLanguage('en')
  })
})
