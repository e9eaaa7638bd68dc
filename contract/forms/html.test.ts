import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formLimits } from './form-limits.ts'
import { isAllowedHtml } from './html.ts'

const plain = [
  '',
  'words only, 1 &lt; 2 &amp; 3',
  '<p>One <strong>word</strong>.</p>',
  '<P>Capitals</P>',
  'line<br>line<br/>line<hr />',
  '<ul><li>one</li><li>two</li></ul>',
  '<a href="https://harbour.example/a?b=1&amp;c=2" title="There">there</a>',
  "<a href='/documents'>here</a>",
  '<a href="mailto:help@harbour.example">mail</a>',
  '<p lang="ar" dir="rtl">كلمة</p>',
  '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
  'a > b',
]

const refused = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example></SCRIPT>',
  '<p onclick="alert(1)">x</p>',
  '<p style="color:red">x</p>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)></svg>',
  '<iframe src="https://evil.example"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java&#115;cript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="data:text/html,x">x</a>',
  '<a href="/&#47;evil.example">x</a>',
  '<a href="/&Tab;/evil.example">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<a href=https://harbour.example>x</a>',
  '<a href="https://harbour.example"onclick="alert(1)">x</a>',
  '<a href="https://harbour.example" target="_top">x</a>',
  '<p title="x">x</p>',
  '<!-- a comment -->',
  '<!doctype html>',
  '<?php echo 1 ?>',
  '<p>not closed',
  '<p><b>crossed</p></b>',
  '</p>',
  '<p/>',
  '<p',
  '<',
  '1 < 2',
  '<<p>x</p>',
  '<p a="<b>">x</p>',
  '<math><mi></mi></math>',
  '<p\u0000>x</p>',
  '<p\u00a0lang="en">x</p>',
  '<style>p{}</style>',
  '<form action="https://evil.example"><input></form>',
  '<base href="https://evil.example">',
  '<meta http-equiv="refresh">',
  `${'<div>'.repeat(formLimits.htmlDepthMax + 1)}${'</div>'.repeat(formLimits.htmlDepthMax + 1)}`,
  'x'.repeat(formLimits.htmlCharsMax + 1),
]

describe('the check of HTML in a form', () => {
  for (const html of plain) it(`accepts ${html.slice(0, 60)}`, () => assert.equal(isAllowedHtml(html), true))
  for (const html of refused)
    it(`refuses ${JSON.stringify(html).slice(0, 60)}`, () => assert.equal(isAllowedHtml(html), false))
})
