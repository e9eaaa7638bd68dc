import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writeLetter } from './templates.ts'

const brand = { name: 'Harbour', accent: '#0b5fff', supportEmail: 'help@harbour.test', address: 'https://harbour.test' }
const letter = {
  subject: 'Subject',
  heading: 'Heading',
  lines: ['First.', 'Second.'],
  action: { label: 'Go on', url: 'https://harbour.test/x?a=1&b=2' },
  footnote: 'Small print.',
}

describe('a mail template', () => {
  test('has the same content as text and as HTML', () => {
    const { text, html } = writeLetter(brand, letter)
    for (const words of ['Heading', 'First.', 'Second.', 'Go on', 'Small print.', 'Harbour', 'help@harbour.test']) {
      assert.ok(text.includes(words) && html.includes(words), words)
    }
    assert.ok(text.includes(letter.action.url))
    assert.equal(html.split('https://harbour.test/x?a=1&amp;b=2').length, 3)
    assert.ok(html.includes(brand.accent))
  })

  test('has its heading as subject unless another is given', () => {
    const { subject, ...plain } = letter
    assert.equal(writeLetter(brand, letter).subject, subject)
    assert.equal(writeLetter(brand, plain).subject, letter.heading)
    assert.ok(writeLetter(brand, plain).html.includes('<title>Heading</title>'))
  })

  test('escapes every value', () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&`
    const hostile = writeLetter(
      { name: nasty, accent: `#fff;background:url(x)`, supportEmail: nasty, address: nasty },
      { subject: nasty, heading: nasty, lines: [nasty], action: { label: nasty, url: nasty }, footnote: nasty },
    )
    const plain = writeLetter(brand, letter)
    const tagsOf = (html: string) => [...html.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, name]) => name).toSorted()
    const expected = [...tagsOf(plain.html)].filter((name) => name !== 'p')
    assert.deepEqual(
      tagsOf(hostile.html).filter((name) => name !== 'p'),
      expected,
    )
    assert.ok(!hostile.html.includes('url(x)'))
    assert.equal(hostile.html.split("'").length, plain.html.split("'").length)
  })

  test('is readable on every brand colour', () => {
    const inkOf = (accent: string) =>
      /;color:(#\w+);text-decoration/.exec(writeLetter({ ...brand, accent }, letter).html)?.[1]
    for (const [accent, ink] of [
      ['#000000', '#ffffff'],
      ['#ffffff', '#000000'],
      ['#ffe600', '#000000'],
      ['#1f3a93', '#ffffff'],
    ] as const) {
      assert.equal(inkOf(accent), ink, accent)
    }
  })
})
