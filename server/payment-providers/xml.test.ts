import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readXml, xmlText } from './xml.ts'

describe('XML documents of providers', () => {
  it('are read by path', () => {
    const texts = readXml(
      '<?xml version="1.0" encoding="utf-8" ?><r><a>1 &amp; 2</a><b/><c><d><![CDATA[<x>]]></d></c></r>',
    )
    assert.deepEqual(Object.fromEntries(texts ?? []), { r: '', 'r/a': '1 & 2', 'r/b': '', 'r/c': '', 'r/c/d': '<x>' })
    assert.equal(
      readXml('<r><url>https://x.example/?a=1&amp;b=2\n</url></r>')?.get('r/url')?.trim(),
      'https://x.example/?a=1&b=2',
    )
  })

  it('may begin with a byte order mark or an empty line', () => {
    for (const before of ['\uFEFF', '\n', '\r\n  ', '\uFEFF\n'])
      assert.equal(readXml(`${before}<?xml version="1.0"?><r>1</r>\n`)?.get('r'), '1', JSON.stringify(before))
  })

  it('yield null when malformed', () => {
    for (const text of [
      '',
      ' ',
      'no',
      '<r>',
      '<r></s>',
      '<r/><r/>',
      '<r a=1/>',
      '<r>&</r>',
      '<html><br></html>',
      '{"a":1}',
      '<r>\u0000</r>',
    ])
      assert.equal(readXml(text), null, text)
  })

  it('may contain only the five predefined entities and no document type', () => {
    const bomb = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>'
    const file = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'
    for (const text of [bomb, file, '<!DOCTYPE r><r/>', '<r>&a;</r>', '<r>&nbsp;</r>'])
      assert.equal(readXml(text), null)
    assert.equal(readXml('<r>&lt;&#65;</r>')?.get('r'), '<A')
  })

  it('have limited depth and size and no duplicate element', () => {
    const deep = (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`
    assert.notEqual(readXml(deep(8)), null)
    assert.equal(readXml(deep(9)), null)
    assert.equal(readXml(deep(30_000)), null)
    assert.equal(readXml(`<r>${Array.from({ length: 300 }, (_, at) => `<a${at}/>`).join('')}</r>`), null)
    assert.equal(readXml(`<r>${'x'.repeat(100_001)}</r>`), null)
    assert.equal(readXml('<r><money>1</money><money>2</money></r>'), null)
  })

  it('round-trip any text', () => {
    for (const text of ['<b>&"\'', 'Đặng 李', 'a]]>b', '\u0007bell']) {
      assert.equal(readXml(`<r>${xmlText(text)}</r>`)?.get('r'), text.replace('\u0007', ''))
    }
  })
})
