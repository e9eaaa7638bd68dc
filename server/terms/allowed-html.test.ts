import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAllowedHtml } from '@atrium/contract/forms/html.ts'
import fc from 'fast-check'
import { cleanTermsHtml } from './clean-html.ts'

const parts = [
  ...[
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<i>',
    '</i>',
    '<ul>',
    '</ul>',
    '<li>',
    '</li>',
    '<br>',
    '<hr/>',
    '<P>',
    '<div lang="en">',
    '</div>',
  ],
  ...[
    '<a href="https://harbour.example/?a=1&amp;b=2">',
    '</a>',
    '<a href="javascript:alert(1)">',
    '<a href="/&#47;evil.example">',
  ],
  ...[
    '<script>',
    '</script>',
    '<img src=x onerror=alert(1)>',
    '<p onclick="alert(1)">',
    '<svg>',
    '<!--',
    '-->',
    '<p',
    '<',
    '>',
    '"',
    "'",
  ],
  ...['a word', '&lt;', '&amp;', ' ', '\n', '/', '=', 'href="', '\u00a0', '\u0000'],
]

/** The elements and attributes of a text as the cleaning writes them, apart from those it adds to links. */
function made(html: string): string[] {
  const tags = (html.match(/<[^<>]*>/g) ?? []).join('')
  const names = [...tags.matchAll(/<([a-zA-Z0-9]{1,20})/g)].map(([, name = '']) => name.toLowerCase())
  const attributes = [...tags.matchAll(/ (lang|dir|href|title)=/g)].map(([, name = '']) => name)
  return [...new Set([...names, ...attributes])].toSorted()
}

describe('the allowed HTML of forms', () => {
  it('is left unchanged by the cleaning of terms', () => {
    let plain = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (chosen) => {
        // Also closes elements in order, which random choice rarely does.
        const open = chosen.flatMap((part) => /^<(p|b|i|ul|li|div|a)[ >]/.exec(part)?.[1] ?? [])
        for (const html of [
          chosen.join(''),
          `${chosen.filter((part) => !part.startsWith('</')).join('')}${open
            .toReversed()
            .map((name) => `</${name}>`)
            .join('')}`,
        ]) {
          if (!isAllowedHtml(html)) continue
          plain += 1
          assert.deepEqual(made(cleanTermsHtml(html)), made(html))
          assert.doesNotMatch(html, /script|onerror|onclick|svg|evil/)
        }
      }),
      { numRuns: 3_000 },
    )
    assert.ok(plain > 300, `${plain} allowed texts: too few random texts are allowed`)
  })
})
