import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { i18next, speak } from './i18n.ts'

const said = (name: string): string => i18next.t('Approve 250.00 USD of {{name}}?', { name, other: 'X' })

describe('the page', () => {
  const page = { documentElement: { lang: '', dir: '' } }
  before(() => Object.assign(globalThis, { document: page }))
  after(() => Reflect.deleteProperty(globalThis, 'document'))

  it('says of itself which language its texts are in, whatever somebody would like to read', async () => {
    await i18next.changeLanguage('ar')
    assert.deepEqual(page.documentElement, { lang: 'ar', dir: 'rtl' })
    // Nobody has translated it into Arabic.
    await speak('ar')
    assert.deepEqual(page.documentElement, { lang: 'en', dir: 'ltr' })
  })
})

describe('a value in a sentence', () => {
  for (const name of ['Mara Hart', '<b>&amp;</b>', '{{other}}', '$t(Approve)', "$& $1 $' $`", '__proto__', 'Ж 李 שלום'])
    it(`stands there as it is: ${name}`, () => assert.equal(said(name), `Approve 250.00 USD of ${name}?`))

  for (const [name, kept] of [
    ['\u202eevil', '\u2068\u202eevil\u2069'],
    ['a\u2069\u202eb', '\u2068a\u202eb\u2069'],
    ['\u2067open', '\u2068\u2067open\u2069\u2069'],
    ['\u2067shut\u2069', '\u2068\u2067shut\u2069\u2069'],
  ] as const)
    it(`turns nothing around but itself: ${JSON.stringify(name)}`, () =>
      assert.equal(said(name), `Approve 250.00 USD of ${kept}?`))
})
